/** What goes through the one seam of every external command of a runtime: `create-commands.ts`. */

export interface Program {
  /** Program and arguments: visible to every user of the machine, so never a secret. */
  readonly argv: readonly [string, ...string[]];
  /** The whole environment of the command; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Command extends Program {
  /**
   * What `/dev/stdin` holds: a regular file without a name, so that no kill leaves it behind.
   * Without it standard input is empty and at its end.
   */
  readonly stdin?: string | Uint8Array;
  /** When the command and all it started are ended: SIGTERM, and SIGKILL 5 s later. */
  readonly timeout_ms: number;
  /** Ends the command as its time limit does. */
  readonly signal?: AbortSignal;
}

export interface CommandOutput {
  /** The beginning and the end of what came, together up to `MAX_OUTPUT` characters. */
  readonly stdout: string;
  readonly stderr: string;
}

export interface NotStarted {
  readonly kind: "not_started";
  readonly cause: "missing" | "other";
  readonly reason: string;
}

export type CommandResult =
  | (CommandOutput & { readonly kind: "exited"; readonly code: number })
  /** By a signal that was not ours. */
  | (CommandOutput & { readonly kind: "killed"; readonly signal: string })
  | (CommandOutput & { readonly kind: "ended"; readonly cause: "timeout" | "abort" })
  | NotStarted;

/** Runs a command to its end. Never rejects. */
export type RunCommand = (command: Command) => Promise<CommandResult>;

export interface RunningProgram {
  readonly kind: "running";
  readonly pid: number;
  /** Exit code, or null if a signal ended it. Never rejects. */
  readonly exited: Promise<number | null>;
  /** What it said on stderr: the beginning and the end. */
  readonly stderr: () => string;
  /** Ends it and all it started; settles once it is gone. */
  readonly stop: () => Promise<void>;
}

/** Starts a program that runs until it is stopped, with empty standard input. */
export type StartProgram = (program: Program) => RunningProgram | NotStarted;

export interface Commands {
  readonly run: RunCommand;
  readonly start: StartProgram;
}

/** Characters kept of each stream. */
export const MAX_OUTPUT = 256 * 1024;
