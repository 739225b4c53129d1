import { expect, test } from "bun:test";

import { runCommand } from "../../support/shell.ts";

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

test("`inspect spec` answers each line in order and fails at the end if one was unreadable", async () => {
  const input = [
    '{"id":"a","spec":"openai:gpt-5.4?effort=high"}\nno JSON\n{"id":',
    '"b","spec":":x"}',
  ];
  const { code, stdout } = await runCommand(["inspect", "spec"], { input });

  expect(code).toBe(1);
  expect(linesOf(stdout)).toEqual([
    expect.objectContaining({ id: "a", ok: true, key: "openai:gpt-5.4" }),
    { id: null, error: expect.stringContaining("not JSON") },
    expect.objectContaining({ id: "b", ok: false }),
  ]);
});

test("`inspect error` names the failure kind of a saved answer", async () => {
  const input = ['{"id":1,"status":429,"body":{"error":{"message":"slow down"}}}\n'];
  const { code, stdout } = await runCommand(["inspect", "error"], { input });

  expect(code).toBe(0);
  expect(linesOf(stdout)).toEqual([expect.objectContaining({ id: 1, kind: "rate_limit" })]);
});

test("`inspect output` judges a saved answer, and says what is wrong with a line it cannot judge", async () => {
  const input = [
    '{"id":1,"prompt":"Hi","completion":"","finish_reason":"stop"}\n',
    '{"id":2,"completion_b64":"y+htZQ=="}\n',
    '{"id":3,"completion":7}\n',
  ];
  const { code, stdout } = await runCommand(["inspect", "output"], { input });

  expect(code).toBe(0);
  expect(stdout.split("\n")[0]).toBe(
    '{"id":1,"verdict":"malformed","signature":"empty_200","attributable":true,"trips":true,"scope":"target","detail":"empty response"}',
  );
  expect(linesOf(stdout).slice(1)).toEqual([
    expect.objectContaining({ id: 2, verdict: "mangled", signature: "invalid_utf8" }),
    { id: 3, error: "`completion` must be a string or null" },
  ]);
});

test("no input is no output and no failure", async () => {
  expect(await runCommand(["inspect", "spec"])).toEqual({ code: 0, stdout: "", stderr: "" });
});
