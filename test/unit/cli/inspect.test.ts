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

test("`inspect language` tells whether a text is in the language it should be in", async () => {
  const text =
    "Esta manhã desci até o porto porque a padaria ainda estava fechada e não havia pão.";
  const input = [
    `${JSON.stringify({ id: 1, text, expected: "pt-BR" })}\n`,
    `${JSON.stringify({ id: 2, text, expected: "es" })}\n`,
  ];
  const { code, stdout } = await runCommand(["inspect", "language"], { input });

  expect(code).toBe(0);
  expect(linesOf(stdout)).toEqual([
    { id: 1, result: "pass", detected: "pt" },
    { id: 2, result: "fail", detected: "pt", reason: "language_drift" },
  ]);
});

test("`inspect output` holds the answer to a probe against its language", async () => {
  const completion =
    "I walked down to the harbour this morning because the bakery was still closed.";
  const line = { id: 1, completion, extra: { mode: "canary", expected_lang: "pt" } };
  const { stdout } = await runCommand(["inspect", "output"], { input: [JSON.stringify(line)] });

  expect(linesOf(stdout)).toEqual([
    expect.objectContaining({ id: 1, verdict: "language_drift", scope: "target" }),
  ]);
});

test("no input is no output and no failure", async () => {
  expect(await runCommand(["inspect", "spec"])).toEqual({ code: 0, stdout: "", stderr: "" });
});
