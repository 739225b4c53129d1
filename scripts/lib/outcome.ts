/** What one stage of the gate came to. */
export interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Lines `skip: <tool>: <how to install>`, printed by tests whose outside tool is missing. */
  readonly skips: readonly string[];
}

/** Reads bun's own summary; a run that failed without a failed test still counts as one failure. */
export function countsOf(name: string, output: string, exitCode: number | null): Outcome {
  const summary = output.slice(Math.max(output.lastIndexOf(" --seed="), 0));
  const count = (word: string) =>
    Number(new RegExp(`^ *(\\d+) ${word}s?$`, "m").exec(summary)?.[1] ?? 0);
  const failed = count("fail");
  const crashed = exitCode !== 0 && failed === 0;
  const ranNothing = exitCode === 0 && count("pass") + count("skip") === 0;
  return {
    name,
    passed: count("pass"),
    failed: crashed || ranNothing ? failed + 1 : failed,
    skipped: count("skip") + count("todo"),
    skips: [...new Set(output.match(/^skip: .+$/gm))],
  };
}

/** The end of the gate's output, and how many items failed; `requireAll` makes skips failures. */
export function closingLines(outcomes: readonly Outcome[], requireAll: boolean) {
  const sum = (of: (outcome: Outcome) => number) =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const failed = sum((o) => o.failed) + (requireAll ? sum((o) => o.skipped) : 0);
  const lines = [
    ...new Set(outcomes.flatMap(({ skips }) => skips)),
    ...outcomes.flatMap(({ name, failed: count, skipped }) => [
      ...(count > 0 ? [`failed: ${name} (${count})`] : []),
      ...(requireAll && skipped > 0 ? [`failed: ${name} (${skipped} skipped)`] : []),
    ]),
    `veriroute: ${sum((o) => o.passed)} passed, ${failed} failed`,
  ];
  return { lines, failed };
}
