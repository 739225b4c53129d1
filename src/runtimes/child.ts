import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Subprocess } from "bun";

import type { Command, NotStarted, Program } from "./command.ts";

const TERM_GRACE_MS = 5000;

/** A process with a group of its own, which what it starts belongs to. */
export type Child = Subprocess<"ignore" | number, "pipe", "pipe">;

export function spawn(command: Program & Pick<Command, "stdin">): Child | NotStarted {
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

/** Its exit code, once it is gone; null if a signal ended it. */
export async function endOf(child: Child): Promise<number | null> {
  await child.exited;
  return child.exitCode;
}

/** Ends it and all that it started; settles once it is gone. */
export async function endGroup(child: Child): Promise<void> {
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

export async function settledWithin(promise: Promise<unknown>, limit_ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, limit_ms, false);
  const settled = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return settled;
}
