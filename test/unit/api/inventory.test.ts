import { expect, test } from "bun:test";

import { createInventory } from "../../../src/control/inventory.ts";
import type { TargetHealth } from "../../../src/relay/client-request.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";
import { configOf } from "../config/load.ts";
import { sampleInstance } from "../upstream/samples.ts";

const SECRET = "sk-very-secret";
const EXCLUDED = { layer: 1, code: "static_exclusion", detail: "d", until_at: null };

function inventoryOf(health: readonly TargetHealth[] = []) {
  const registry = createRegistry();
  const broken = { code: "missing_credential", message: "Set `ACME_API_KEY`." } as const;
  registry.replaceConfigured([
    sampleInstance({
      name: "acme",
      credential: SECRET,
      base_url: `https://user:${SECRET}@api.acme.example/v1`,
      headers: { "x-team": SECRET },
      proxy: `http://user:${SECRET}@proxy.example`,
      configured_models: null,
      default_model: "a",
    }),
    sampleInstance({ name: "fixed", credential: null, configured_models: ["b", "c"] }),
    sampleInstance({ name: "any", configured_models: ["*"] }),
    sampleInstance({ name: "broken", configured_models: ["d"], problem: broken }),
  ]);
  registry.setListing("acme", { state: "failed", models: ["a"], at: 7 });
  registry.setListing("any", { state: "ok", models: ["e/f"], at: 8 });
  return createInventory({
    registry,
    config: () =>
      configOf(
        '[pools.main]\ntargets = ["sim:echo"]\n[pools.other]\nstrategy = "priority"\ntargets = ["sim:story"]\n',
      ),
    health: () => health,
    reasons: ({ model }) => (model === "c" ? [EXCLUDED] : []),
    answerType: (instance) =>
      instance === "acme"
        ? { content_type: "text/event-stream", charset_declared: false, at: 9 }
        : null,
    credentialFrom: ({ name }) => `variable of ${name}`,
  });
}

test("providers show where their credential comes from, never a secret", () => {
  const providers = inventoryOf().providers();

  expect(providers[0]).toEqual({
    name: "acme",
    type: "acme",
    source: "config",
    base_url: "https://api.acme.example/v1",
    local: false,
    credential: { set: true, from: "variable of acme" },
    headers: ["x-team"],
    default_model: "a",
    models: { state: "failed", count: 1, listed_at: 7 },
    timeouts: sampleInstance().timeouts,
    answers: { content_type: "text/event-stream", charset_declared: false, at: 9 },
    problem: null,
  });
  expect(providers[1]?.credential).toEqual({ set: false, from: null });
  expect(JSON.stringify(providers)).not.toContain(SECRET);
});

test("models come from the config, or where it says `*` from the listing", () => {
  expect(
    inventoryOf()
      .providers()
      .map(({ name, models }) => [name, models.state, models.count]),
  ).toEqual([
    ["acme", "failed", 1],
    ["fixed", "configured", 2],
    ["any", "ok", 1],
    ["broken", "configured", 1],
  ]);
});

test("targets are what is listed, with the health of what was tried", () => {
  const tried: TargetHealth = {
    target: "fixed:b",
    eligible: false,
    reasons: [{ layer: 6, code: "cooldown", detail: null, until_at: 9 }],
    in_flight: 1,
    latency_ms: 10,
    score: null,
  };
  const unlisted = { ...tried, target: "acme:ft:x" };
  const targets = inventoryOf([tried, unlisted]).targets();

  expect(targets.map(({ target, eligible }) => [target, eligible])).toEqual([
    ["acme:a", true],
    ["fixed:b", false],
    ["fixed:c", false],
    ["any:e/f", true],
    ["broken:d", false],
    ["acme:ft:x", false],
  ]);
  expect(targets[1]).toEqual({ ...tried, instance: "fixed", model: "b" });
  expect(targets[2]?.reasons).toEqual([EXCLUDED]);
  expect(targets[4]?.reasons).toEqual([
    { layer: 4, code: "missing_credential", detail: "Set `ACME_API_KEY`.", until_at: null },
  ]);
  expect(targets[5]).toMatchObject({ instance: "acme", model: "ft:x" });
});

test("pools show the strategy in force and their members as written", () => {
  expect(inventoryOf().pools()).toEqual([
    { name: "main", strategy: "priority", targets: ["sim:echo"] },
    { name: "other", strategy: "priority", targets: ["sim:story"] },
  ]);
});
