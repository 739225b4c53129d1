import type { Clock } from "../lib/clock.ts";
import { MAX_TIMER_MS } from "../lib/durations.ts";
import type { Log } from "../telemetry/log.ts";
import { capture } from "./captured.ts";
import { type Child, endGroup, endOf, settledWithin, spawn } from "./child.ts";
import type { Command, CommandResult, Commands, Program } from "./command.ts";
import { redactText } from "./redact.ts";

export interface CommandDependencies {
  readonly log: Log;
  readonly clock: Pick<Clock, "elapsed">;
}

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

function loggable(argv: Program["argv"], result: CommandResult): Record<string, unknown> {
  const withoutOutput = { ...result, stdout: undefined, stderr: undefined };
  return { argv: argv.map((word) => redactText(word)), ...withoutOutput };
}
