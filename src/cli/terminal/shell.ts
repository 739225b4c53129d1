import { type Clock, systemClock } from "../../lib/clock.ts";

/** What a command sees of the world around it; tests pass their own. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** True where colour may be used: a terminal, and no `NO_COLOR`. */
  readonly color: boolean;
  /** Standard input as it arrives. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Writes one line, or several, to standard output. */
  readonly print: (text: string) => void;
  /** The same to standard error: problems and progress. */
  readonly complain: (text: string) => void;
}

export function systemShell(): Shell {
  return {
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    color: process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "",
    input: () => Bun.stdin.stream(),
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
  };
}
