import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";

import { MAX_OUTPUT } from "../../../src/runtimes/command.ts";
import { createCommands } from "../../../src/runtimes/create-commands.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { until } from "../../support/until.ts";

const lines: string[] = [];
const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
const commands = createCommands({ log, clock: { elapsed: () => 0 } });
const env = { PATH: "/usr/bin:/bin" };
const sh = (script: string) => ["/bin/sh", "-c", script] as const;

test("a command's output and exit code come back", async () => {
  const argv = sh("echo out; echo err >&2; exit 3");

  expect(await commands.run({ argv, env, timeout_ms: 10_000 })).toEqual({
    kind: "exited",
    code: 3,
    stdout: "out\n",
    stderr: "err\n",
  });
});

test("a command sees the environment it is given and no other", async () => {
  const argv = ["/usr/bin/env"] as const;

  const result = await commands.run({ argv, env: { ONLY: "this" }, timeout_ms: 10_000 });

  expect(result).toMatchObject({ kind: "exited", stdout: "ONLY=this\n" });
});

test("without input standard input is at its end", async () => {
  const result = await commands.run({ argv: sh("cat; echo end"), env, timeout_ms: 10_000 });

  expect(result).toMatchObject({ stdout: "end\n" });
});

test("W13: input that can be put nowhere, as on a full disk, is an answer and no exception", async () => {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = "/proc/nowhere";
  try {
    const argv = sh("true");
    const result = await commands.run({ argv, env, stdin: "x", timeout_ms: 10_000 });

    expect(result).toMatchObject({ kind: "not_started", cause: "other" });
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
});

test("input is a regular file that is in no directory", async () => {
  const argv = sh("test -f /dev/stdin && cat /dev/stdin && cat /dev/stdin");
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("veriroute-0"));

  const result = await commands.run({ argv, env, stdin: "käse\n", timeout_ms: 10_000 });

  expect(result).toMatchObject({ kind: "exited", code: 0, stdout: "käse\nkäse\n" });
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("veriroute-0"))).toEqual(before);
});

test("a program that is not there is missing, with its name", async () => {
  const argv = ["veriroute-no-such-program"] as const;

  expect(await commands.run({ argv, env, timeout_ms: 1000 })).toEqual({
    kind: "not_started",
    cause: "missing",
    reason: "`veriroute-no-such-program` is not on the path",
  });
});

test("a command that takes too long is ended with all that it started", async () => {
  const argv = sh("sleep 600 & echo $!; wait");

  const result = await commands.run({ argv, env, timeout_ms: 300 });

  expect(result).toMatchObject({ kind: "ended", cause: "timeout" });
  const grandchild = Number("stdout" in result ? result.stdout : "");
  await until(() => !isRunning(grandchild));
});

test("a command is ended by its signal", async () => {
  const abort = new AbortController();
  const ending = commands.run({
    argv: sh("sleep 600"),
    env,
    timeout_ms: 60_000,
    signal: abort.signal,
  });
  abort.abort();

  expect(await ending).toMatchObject({ kind: "ended", cause: "abort" });
});

test("a command that somebody else kills says so", async () => {
  const result = await commands.run({ argv: sh("kill -9 $$"), env, timeout_ms: 10_000 });

  expect(result).toMatchObject({ kind: "killed", signal: "SIGKILL" });
});

test("a grandchild that keeps the pipe does not hold up the result", async () => {
  const argv = sh("setsid sleep 5 & echo done");

  expect(await commands.run({ argv, env, timeout_ms: 60_000 })).toMatchObject({
    kind: "exited",
    stdout: "done\n",
  });
});

test("of too much output the beginning and the end are kept", async () => {
  const argv = sh("echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo last");

  const result = await commands.run({ argv, env, timeout_ms: 30_000 });

  const stdout = "stdout" in result ? result.stdout : "";
  expect(stdout.length).toBeLessThan(MAX_OUTPUT + 100);
  expect([stdout.slice(0, 6), stdout.slice(-5)]).toEqual(["first\n", "last\n"]);
});

test("a program that runs on is stopped with all that it started", async () => {
  const started = commands.start({ argv: sh("sleep 600 & echo up >&2; wait"), env });
  if (started.kind !== "running") throw new Error(started.reason);
  await until(() => started.stderr() === "up\n");

  await started.stop();

  expect(isRunning(started.pid)).toBe(false);
});

test("what is logged of a command has neither output nor anything that looks like a credential", async () => {
  lines.length = 0;
  const argv = ["/bin/echo", "Bearer abcdef123456", "hf_ABCDEFGHIJKLMNOP"] as const;

  await commands.run({ argv, env, timeout_ms: 10_000 });

  const [line = ""] = lines;
  expect(JSON.parse(line)).toMatchObject({
    argv: ["/bin/echo", "Bearer [redacted]", "[redacted]"],
    kind: "exited",
    code: 0,
  });
  expect(line).not.toContain("abcdef123456");
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
