import { runCommandLine } from "../../src/cli/command-line.ts";
import type { Shell } from "../../src/cli/terminal/shell.ts";
import type { RunResult } from "./binary.ts";

export interface ShellOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Standard input, in the chunks it arrives in. */
  readonly input?: readonly (string | Uint8Array)[];
  readonly color?: boolean;
}

/** The instant at which every command of a test runs. */
export const SHELL_NOW = Date.UTC(2030, 0, 2, 3, 4, 5);

/** Runs one command line inside the test; what it prints comes back. */
export async function runCommand(
  args: readonly string[],
  options: ShellOptions = {},
): Promise<RunResult> {
  const out: string[] = [];
  const err: string[] = [];
  const shell: Shell = {
    env: options.env ?? {},
    cwd: options.cwd ?? "/",
    clock: { now: () => SHELL_NOW, elapsed: () => 0 },
    color: options.color ?? false,
    input: () => chunksOf(options.input ?? []),
    print: (text) => void out.push(`${text}\n`),
    complain: (text) => void err.push(`${text}\n`),
  };
  const code = await runCommandLine(args, shell);
  return { code, stdout: out.join(""), stderr: err.join("") };
}

async function* chunksOf(parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? new TextEncoder().encode(part) : part;
}
