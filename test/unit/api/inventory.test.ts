import { expect, test } from "bun:test";

import { createInventory } from "../../../src/control/inventory.ts";
import type { TargetLoad } from "../../../src/relay/client-request.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";
import { configOf } from "../config/load.ts";
import { anInstance, aWorld } from "../routing/a-world.ts";
import { sampleInstance } from "../upstream/samples.ts";

const SECRET = "sk-very-secret";
const EXCLUDED = { layer: 1, code: "static_exclusion", detail: "d", until_at: null };

const IDLE = { eligible: true, reasons: [], in_flight: 0, latency_ms: null, score: null };

function inventoryOf(loads: readonly TargetLoad[] = []) {
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
    world: () =>
      aWorld({
        instances: [anInstance("fixed", { type: "openai", models: ["b", "c"] })],
        eligibility: ({ model }) => (model === "c" ? [EXCLUDED] : []),
      }),
    loads: () => loads,
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

test("targets are what is known of the world, with how busy those are that were tried", () => {
  const load = { in_flight: 1, latency_ms: 10 };
  const tried = { target: { instance: "fixed", model: "b", params: {} }, ...load };
  const targets = inventoryOf([tried]).targets();

  expect(targets).toEqual([
    { ...IDLE, target: "fixed:b", instance: "fixed", model: "b", ...load },
    {
      ...IDLE,
      target: "fixed:c",
      instance: "fixed",
      model: "c",
      eligible: false,
      reasons: [EXCLUDED],
    },
    { ...IDLE, target: "sim:echo", instance: "sim", model: "echo" },
    { ...IDLE, target: "sim:empty", instance: "sim", model: "empty" },
  ]);
});

test("pools show the strategy in force and their members as written", () => {
  expect(inventoryOf().pools()).toEqual([
    { name: "main", strategy: "priority", targets: ["sim:echo"] },
    { name: "other", strategy: "priority", targets: ["sim:story"] },
  ]);
});
