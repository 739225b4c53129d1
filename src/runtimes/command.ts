/** The one seam that every external command of a runtime goes through. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Subprocess } from "bun";

import type { Clock } from "../lib/clock.ts";
import { MAX_TIMER_MS } from "../lib/durations.ts";
import type { Log } from "../telemetry/log.ts";
import { redactText } from "./redact.ts";

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

export interface CommandDependencies {
  readonly log: Log;
  readonly clock: Pick<Clock, "elapsed">;
}

export interface Commands {
  readonly run: RunCommand;
  readonly start: StartProgram;
}

/** Characters kept of each stream. */
export const MAX_OUTPUT = 256 * 1024;
const TERM_GRACE_MS = 5000;
/** A grandchild that holds a pipe open may not hold us up. */
const DRAIN_MS = 2000;

export function createCommands({ log, clock }: CommandDependencies): Commands {
  return {
    async run(command) {
      const since = clock.elapsed();
      const result = await runToEnd(command);
      const { argv } = command;
      log.debug({ ...loggable(argv, result), elapsed_ms: clock.elapsed() - since }, "command");
      return result;
    },
    start(program) {
      const started = spawn(program);
      if ("kind" in started) return started;
      log.debug({ argv: program.argv.map((word) => redactText(word)), pid: started.pid }, "start");
      const stderr = capture(started.stderr);
      return {
        kind: "running",
        pid: started.pid,
        exited: endOf(started),
        stderr: stderr.text,
        stop: () => endGroup(started),
      };
    },
  };
}

async function runToEnd(command: Command): Promise<CommandResult> {
  if (command.signal?.aborted === true) {
    return { kind: "ended", cause: "abort", stdout: "", stderr: "" };
  }
  const child = spawn(command);
  if ("kind" in child) return child;
  const streams = [capture(child.stdout), capture(child.stderr)] as const;
  const cause = await raceEnd(child, command);
  await settledWithin(Promise.all(streams.map(({ ended }) => ended)), DRAIN_MS);
  const [stdout, stderr] = [streams[0].text(), streams[1].text()];
  if (cause !== null) return { kind: "ended", cause, stdout, stderr };
  const { exitCode, signalCode } = child;
  if (signalCode !== null) return { kind: "killed", signal: String(signalCode), stdout, stderr };
  return { kind: "exited", code: exitCode ?? 1, stdout, stderr };
}

type Child = Subprocess<"ignore" | number, "pipe", "pipe">;

function spawn(command: Program & Pick<Command, "stdin">): Child | NotStarted {
  const [program, ...args] = command.argv;
  const path = Bun.which(program, { PATH: command.env["PATH"] ?? "" });
  if (path === null) {
    return { kind: "not_started", cause: "missing", reason: `\`${program}\` is not on the path` };
  }
  let stdin: number | "ignore" = "ignore";
  try {
    if (command.stdin !== undefined) stdin = openUnnamed(command.stdin);
    return Bun.spawn([path, ...args], {
      env: command.env,
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      stdin,
      stdout: "pipe",
      stderr: "pipe",
      // A group of its own, so that what it starts is ended with it, and a Ctrl-C at the terminal
      // does not cut short a command that is renting a machine.
      detached: true,
    });
  } catch (error) {
    return { kind: "not_started", cause: "other", reason: String(error) };
  } finally {
    if (stdin !== "ignore") closeSync(stdin);
  }
}

/** A descriptor of a file that holds `content`, at its beginning, and is in no directory. */
function openUnnamed(content: string | Uint8Array): number {
  const path = join(tmpdir(), `veriroute-${Bun.randomUUIDv7()}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  try {
    // At a position of its own, which leaves that of the descriptor where it is.
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Null if it ended by itself. */
async function raceEnd(child: Child, command: Command): Promise<"timeout" | "abort" | null> {
  const { promise: limit, resolve } = Promise.withResolvers<"timeout" | "abort">();
  const timer = setTimeout(resolve, Math.min(command.timeout_ms, MAX_TIMER_MS), "timeout");
  const abort = () => resolve("abort");
  command.signal?.addEventListener("abort", abort, { once: true });
  const cause = await Promise.race([child.exited.then(() => null), limit]);
  clearTimeout(timer);
  command.signal?.removeEventListener("abort", abort);
  if (cause !== null) await endGroup(child);
  return cause;
}

async function endOf(child: Child): Promise<number | null> {
  await child.exited;
  return child.exitCode;
}

async function endGroup(child: Child): Promise<void> {
  signalGroup(child.pid, "SIGTERM");
  if (!(await settledWithin(child.exited, TERM_GRACE_MS))) signalGroup(child.pid, "SIGKILL");
  await child.exited;
  // Whatever of the group outlived its leader.
  signalGroup(child.pid, "SIGKILL");
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: the whole group is gone.
  }
}

async function settledWithin(promise: Promise<unknown>, limit_ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, limit_ms, false);
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}

interface Captured {
  readonly text: () => string;
  readonly ended: Promise<void>;
}

/** Keeps the first and the last half: a traceback's reason is at the end, a banner at the beginning. */
function capture(stream: ReadableStream<Uint8Array>): Captured {
  const half = MAX_OUTPUT / 2;
  let head = "";
  let tail = "";
  let dropped = false;
  const add = (text: string) => {
    const room = half - head.length;
    head += text.slice(0, room);
    tail += text.slice(Math.max(room, 0));
    if (tail.length <= half) return;
    dropped = true;
    tail = tail.slice(-half);
  };
  const read = async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
    } catch {
      // The pipe broke: what came is what there is.
    }
    add(decoder.decode());
  };
  return { text: () => (dropped ? `${head}\n[…]\n${tail}` : head + tail), ended: read() };
}

function loggable(argv: Program["argv"], result: CommandResult): Record<string, unknown> {
  const withoutOutput = { ...result, stdout: undefined, stderr: undefined };
  return { argv: argv.map((word) => redactText(word)), ...withoutOutput };
}
