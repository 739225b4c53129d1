import { once } from "../lib/memoize.ts";
import type { LanguageScores } from "../verify/language/detector.ts";
import { type Command, EXIT } from "./command.ts";
import { jsonLines } from "./terminal/json-lines.ts";

type Judge = (line: Readonly<Record<string, unknown>>, now: number) => unknown;

/** What can be judged, each by the function the router itself uses. */
const JUDGES: Readonly<Record<string, () => Promise<Judge>>> = {
  error: async () => {
    const { inspectError } = await import("../health/inspect-error.ts");
    return (line, now) => inspectError(line, now);
  },
  output: async () => {
    const { verifyOutput } = await import("../verify/inspect-output.ts");
    const { inspectAnswer, isProbeAnswer } = await import("../canary/inspect-answer.ts");
    const detector = once(languageScores);
    return async (line) =>
      isProbeAnswer(line) ? inspectAnswer(line, await detector()) : verifyOutput(line);
  },
  language: async () => {
    const { inspectLanguage } = await import("../verify/language/inspect-language.ts");
    const scores = await languageScores();
    return (line) => inspectLanguage(line, scores);
  },
  spec: async () => {
    const { inspectSpec } = await import("../address/inspect-spec.ts");
    return (line) => inspectSpec(line);
  },
};

/** Loaded where a language has to be told, which is seldom: it takes its time and room. */
async function languageScores(): Promise<LanguageScores> {
  const { loadLanguageScores } = await import("../verify/language/detector.ts");
  return loadLanguageScores();
}

export const inspect: Command = {
  name: "inspect",
  summary: "Judge saved outputs, errors, languages or spec strings: JSON lines in, JSON lines out.",
  forms: Object.keys(JUDGES).map((subject) => `${subject} < LINES`),
  notes: [
    "Every line of standard input gives one line of output, in order; nothing is sent anywhere.",
    "  error  in  {id, vendor?, status?, headers?, body?, transport?}",
    "         out {id, kind, retry_same, fail_over, affects_health, cooldown_ms, client_status, reason}",
    "  output in  {id, prompt?, prompt_charset?, completion? | completion_b64?, finish_reason?,",
    "              has_tool_calls?, max_tokens?, extra?}",
    "         out {id, verdict, signature, attributable, trips, scope, detail?}",
    '              (`extra` {mode:"canary",expected_lang} asks for its language, too)',
    '  language in {id, text, expected}, such as "expected":"pt-BR"',
    "         out {id, result, detected?, reason?}, the result being pass, fail or inconclusive",
    "  spec   in  {id, spec}",
    "         out {id, ok, key?, canonical?, provider?, model?, params?, instance?, error?}",
    'An unreadable line gives {"id":null,"error":…} and exit code 1 at the end.',
  ].join("\n"),
  actions: Object.keys(JUDGES),
  maxPositionals: 1,
  options: {},
  run: async ({ positionals }, shell) => {
    const judge = await JUDGES[positionals[0] ?? ""]?.();
    if (judge === undefined) return EXIT.usage;
    let exitCode: number = EXIT.ok;
    for await (const line of jsonLines(shell.input())) {
      if (line.kind === "object") {
        shell.print(JSON.stringify(await judge(line.value, shell.clock.now())));
        continue;
      }
      shell.print(JSON.stringify({ id: null, error: line.problem }));
      exitCode = EXIT.failed;
    }
    return exitCode;
  },
};
