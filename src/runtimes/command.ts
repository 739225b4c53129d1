/** The one seam that every external command of a runtime goes through. */
export interface Command {
  /** Program and arguments: visible to every user of the machine, so never a secret. */
  readonly argv: readonly [string, ...string[]];
  /** The whole environment of the command; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Text on standard input; without it standard input is empty and at its end. */
  readonly stdin?: string;
  readonly cwd?: string;
  /** When the command and all it started are ended: SIGTERM, and SIGKILL 5 s later. */
  readonly timeout_ms: number;
  /** Ends the command as its time limit does. */
  readonly signal?: AbortSignal;
}

export interface CommandOutput {
  /** The first and the last part of what came, each up to `MAX_OUTPUT / 2` characters. */
  readonly stdout: string;
  readonly stderr: string;
}

export type CommandResult =
  | (CommandOutput & { readonly kind: "exited"; readonly code: number })
  /** By a signal that was not ours. */
  | (CommandOutput & { readonly kind: "killed"; readonly signal: string })
  | (CommandOutput & { readonly kind: "ended"; readonly cause: "timeout" | "abort" })
  | { readonly kind: "not_started"; readonly cause: "missing" | "other"; readonly reason: string };

/** Runs a command to its end. Never rejects. */
export type RunCommand = (command: Command) => Promise<CommandResult>;
