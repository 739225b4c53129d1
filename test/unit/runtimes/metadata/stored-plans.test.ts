import { expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";

import { openStoredPlans, storedPlan } from "../../../../src/runtimes/metadata/stored-plans.ts";
import type { ModelFacts } from "../../../../src/sizing/model-facts.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { GEMMA, knownModel } from "../../sizing/models.ts";

const FACTS: ModelFacts = { ...knownModel(GEMMA), revision: "a1", notes: ["said today"] };
const PLAN = { sku: "L4", quant: "awq", context: 8192, concurrency: null } as const;
const KEPT = { ...PLAN, at: 1000, took_ms: 400_000 };

test("what came up is read back, without what was only said then", async () => {
  using home = tempDir();
  const stored = openStoredPlans(home.file("plans"));

  await stored.keep(FACTS, KEPT);

  expect(await stored.read(GEMMA)).toEqual({
    facts: { ...FACTS, notes: [] },
    plans: [{ ...KEPT, revision: "a1" }],
  });
  const [file = ""] = readdirSync(home.file("plans"));
  expect([file, statSync(home.file(`plans/${file}`)).mode & 0o777]).toEqual([
    "google%2Fgemma-3-4b-it.json",
    0o600,
  ]);
});

test("a plan that came up again replaces itself, others stay behind it, and all of them are bounded", async () => {
  using home = tempDir();
  const stored = openStoredPlans(home.path);
  for (let n = 1; n <= 30; n++) await stored.keep(FACTS, { ...KEPT, context: n, at: n });
  await stored.keep(FACTS, { ...KEPT, context: 20, at: 99 });

  const plans = (await stored.read(GEMMA))?.plans ?? [];

  expect(plans.map(({ context, at }) => [context, at]).slice(0, 3)).toEqual([
    [20, 99],
    [30, 30],
    [29, 29],
  ]);
  expect(plans).toHaveLength(20);
});

test("what the Hub did not say is not kept: it would be taken for its word later", async () => {
  using home = tempDir();
  const stored = openStoredPlans(home.path);

  await stored.keep({ ...FACTS, revision: null }, KEPT);

  expect(readdirSync(home.path)).toEqual([]);
});

test.each<{ what: string; text: (good: string) => string }>([
  { what: "is cut off", text: (good) => good.slice(0, 100) },
  { what: "is of another model", text: (good) => good.replace(GEMMA, "org/other") },
  { what: "is of a later version", text: (good) => good.replace('"schema": 1', '"schema": 2') },
  { what: "has text for a number", text: (good) => good.replace('"layers": 34', '"layers": "34"') },
  { what: "names no GPU", text: (good) => good.replace('"sku": "L4"', '"sku": "L5"') },
])("a file that $what is as good as none", async ({ text }) => {
  using home = tempDir();
  const stored = openStoredPlans(home.path);
  await stored.keep(FACTS, KEPT);
  const path = home.file("google%2Fgemma-3-4b-it.json");
  const good = await Bun.file(path).text();
  writeFileSync(path, text(good));

  expect(await stored.read(GEMMA)).toBeNull();
  expect(text(good)).not.toBe(good);
});

test("S3-151: a plan has come up only for the same revision, GPU, weights, context and concurrency", () => {
  const plans = [{ ...KEPT, revision: "a1" }];
  const found = (facts: Pick<ModelFacts, "revision">, plan: object) =>
    storedPlan(plans, facts, { ...PLAN, ...plan });

  expect(found(FACTS, {})).toEqual({ ...KEPT, revision: "a1" });
  expect([
    found({ revision: "b2" }, {}),
    found({ revision: null }, {}),
    found(FACTS, { sku: "T4" }),
    found(FACTS, { quant: null }),
    found(FACTS, { context: 4096 }),
    found(FACTS, { concurrency: 2 }),
  ]).toEqual(Array.from({ length: 6 }, () => null));
});
