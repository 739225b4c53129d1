import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";

import { openStoredPlans } from "../../../src/runtimes/metadata/stored-plans.ts";
import { fakeHub } from "../../support/hub.ts";
import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { knownModel, QWEN_7B } from "../sizing/models.ts";

const REPO = "Qwen/Qwen2.5-7B-Instruct";

/** A Hub that has nothing: the bundled table answers. */
async function estimate(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  using hub = fakeHub({});
  return await runCommand(["runtimes", "estimate", ...args], {
    env: { HOME: "/nonexistent", HF_ENDPOINT: hub.url, ...env },
  });
}

test("an estimate shows its arithmetic, its verdict on every GPU, and what an hour costs", async () => {
  const { code, stdout } = await estimate([REPO, "--context", "16384"]);

  expect(code).toBe(0);
  expect(stdout.replace(/127\.0\.0\.1:\d+/, "HUB")).toBe(`\
Qwen/Qwen2.5-7B-Instruct fits L4 at 8,192 tokens, served by vLLM
  HUB has no model \`Qwen/Qwen2.5-7B-Instruct\`
  dimensions from the bundled table (litgpt, 2026-06-29)
  weights: 7.6 B parameters × 2 B = 14.2 GiB
  KV cache: 2 × 28 layers × 4 KV heads × 128 × 2 B = 57,344 B a token × 16,384 tokens × 1 sequence = 0.9 GiB
  overhead: 2.5 GiB
  required: 14.2 + 0.9 + 2.5 = 17.6 GiB
  T4: 11.5 usable — needs 17.6, skipping
  L4: 22.5 × 0.9 × 0.85 = 17.2 usable — fits at 8,192 instead of 16,384 (KV 0.4)
cost of L4: ~1.71 compute units an hour, 0.17 USD (2026-03-10, mccormickml.com, Colab GPUs Features & Pricing)
`);
});

test("what fits nowhere ends with 1 and with something that does", async () => {
  const { code, stdout } = await estimate(["meta-llama/Llama-3.3-70B-Instruct", "--json"]);

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    fits: false,
    gated: true,
    required_gib: 136.417,
    plan: null,
    advice: {
      text: expect.stringContaining("`--quant awq` needs 42.0 GiB and fits G4"),
      plan: { sku: "G4", required_gib: 42.033, usd_per_hour: 0.871 },
    },
  });
});

test("T25: it works while nothing is enabled, starts nothing and writes nothing", async () => {
  using home = tempDir();
  writeFileSync(home.file("veriroute.toml"), "[runtimes]\nenabled = false\n");
  // Were anything started, it would be this.
  writeFileSync(home.file("colab"), `#!/bin/sh\ntouch ${home.file("started")}\n`, { mode: 0o755 });

  const { code, stdout } = await estimate(
    ["Qwen/Qwen2.5-1.5B-Instruct", "--json", "--config", home.file("veriroute.toml")],
    { PATH: home.path, VERIROUTE_STATE_DIR: home.file("state") },
  );

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ fits: true, plan: { sku: "T4", dtype: "half" } });
  expect(readdirSync(home.path).toSorted()).toEqual(["colab", "veriroute.toml"]);
});

test("a rate from the configuration is the one that counts", async () => {
  using home = tempDir();
  writeFileSync(home.file("veriroute.toml"), "[runtimes]\nrates.T4 = 1.5\n");

  const { stdout } = await estimate([
    "Qwen/Qwen2.5-1.5B-Instruct",
    "--config",
    home.file("veriroute.toml"),
  ]);

  expect(stdout).toContain("served by vLLM with `--dtype half`");
  expect(stdout).toContain(
    "cost of T4: ~1.5 compute units an hour, 0.15 USD (2030-01-02, your configuration)",
  );
});

test("a config with problems is said to be left out, and the estimate comes all the same", async () => {
  using home = tempDir();
  writeFileSync(home.file("veriroute.toml"), "[runtimes]\nrate = 3\n");

  const { code, stderr } = await estimate([REPO, "--config", home.file("veriroute.toml")]);

  expect([code, stderr]).toEqual([0, expect.stringContaining("`veriroute check` lists them")]);
});

test("the token of the environment reaches the Hub and nothing else", async () => {
  const token = "hf_verysecret";
  using hub = fakeHub({});
  const result = await runCommand(["runtimes", "estimate", REPO], {
    env: { HOME: "/nonexistent", HF_ENDPOINT: hub.url, HF_TOKEN: token },
  });

  expect(hub.requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${token}`]);
  expect(JSON.stringify(result)).not.toContain(token);
});

test.each<{ args: string[]; code: number; says: string }>([
  { args: [], code: 2, says: "name a model" },
  { args: [REPO, "--gpu", "A10"], code: 2, says: "`--gpu A10` is no GPU that Colab rents" },
  { args: [REPO, "--quant", "q4_k_x"], code: 2, says: "did you mean `q4_k_m`?" },
  { args: [REPO, "--context", "8k"], code: 2, says: "`--context 8k` is no whole number" },
  { args: [REPO, "--concurrency", "0"], code: 2, says: "`--concurrency 0`" },
  { args: ["a/b/c"], code: 1, says: "`a/b/c` is no repository" },
  { args: ["org/no-such-7B"], code: 1, says: "has no model `org/no-such-7B`" },
])("$args is refused with $code: $says", async ({ args, code, says }) => {
  const result = await estimate(args);

  expect([result.code, result.stdout]).toEqual([code, ""]);
  expect(result.stderr).toContain(says);
});

test("a Hub that is no URL is refused with the fix", async () => {
  const result = await estimate([REPO], { HF_ENDPOINT: "nonsense" });

  expect([result.code, result.stderr]).toEqual([1, expect.stringContaining("`HF_ENDPOINT`")]);
});

test("S3-151: a plan that has come up is said to have, and is made without the Hub", async () => {
  using home = tempDir();
  const stored = openStoredPlans(home.file("plans"));
  const facts = { ...knownModel(QWEN_7B), repo: "org/thing", revision: "a1" };
  const plan = { sku: "L4", quant: null, context: 8192, concurrency: null } as const;
  await stored.keep(facts, { ...plan, at: Date.UTC(2026, 10, 28), took_ms: 420_000 });
  const args = ["runtimes", "estimate", "org/thing"];
  const env = {
    HOME: "/nonexistent",
    HF_ENDPOINT: "http://127.0.0.1:1",
    VERIROUTE_STATE_DIR: home.path,
  };

  const again = await runCommand(args, { env });
  const other = await runCommand([...args, "--context", "4096"], { env });

  expect([again.code, other.code]).toEqual([0, 0]);
  const said = "this very plan came up on 2026-11-28T00:00:00Z, 7 min after it was asked for";
  expect(again.stdout.split("\n")).toContain(said);
  expect(other.stdout).toContain("fits L4 at 4,096");
  expect(other.stdout).not.toContain("this very plan");
});
