import { expect, test } from "bun:test";

import type { CardFacts } from "../../../src/catalog/card-facts.ts";
import { providerType } from "../../../src/catalog/provider-types.ts";
import { createCatalog } from "../../../src/control/catalog.ts";
import { UNKNOWN_CARD } from "../../../src/routing/signals.ts";
import type { Instance } from "../../../src/upstream/instance.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";
import { sampleInstance } from "../upstream/samples.ts";

function instance(name: string, id: string, changes: Partial<Instance> = {}): Instance {
  const type = providerType(id);
  if (type === undefined) throw new Error(`no type ${id}`);
  return sampleInstance({ name, type, ...changes });
}

interface Given {
  readonly instances: readonly Instance[];
  readonly overrides?: Readonly<Record<string, CardFacts>>;
  readonly at?: string;
}

function rig({ instances, overrides = {}, at = "2026-11-29T12:00:00Z" }: Given) {
  const given = { now: Date.parse(at), overrides: new Map(Object.entries(overrides)) };
  const registry = createRegistry();
  registry.replaceConfigured(instances);
  const catalog = createCatalog({
    registry,
    overrides: () => given.overrides,
    clock: { now: () => given.now, elapsed: () => 0 },
  });
  const list = (name: string, models: readonly string[], facts?: Record<string, CardFacts>) =>
    registry.setListing(name, {
      state: "ok",
      models,
      at: 1,
      ...(facts && { facts: new Map(Object.entries(facts)) }),
    });
  return { given, registry, catalog, list };
}

const OPENAI = instance("oai", "openai");

test("a card joins override, listing and catalogue, field by field", () => {
  const { catalog, list } = rig({
    instances: [OPENAI],
    overrides: {
      "oai:gpt-5.4": { price: { output_usd: 12 } },
      "openai:gpt-5.4": { price: { output_usd: 99, input_usd: 2 }, as_of: "2026-11-20" },
    },
  });
  list("oai", ["gpt-5.4"], { "gpt-5.4": { window_tokens: 500_000 } });

  expect(catalog.cardOf({ instance: "oai", model: "gpt-5.4" })).toEqual({
    window_tokens: 500_000,
    max_output_tokens: 128_000,
    price: {
      input_usd: 2,
      output_usd: 12,
      cached_input_usd: 0.25,
      cache_write_usd: null,
      request_usd: null,
      long_prompt: null,
    },
    capabilities: { tools: true, vision: true, json: true, reasoning: true },
    source: "override",
    as_of: "2026-11-20",
  });
});

test("names meet without regard to case", () => {
  const { catalog } = rig({
    instances: [OPENAI],
    overrides: { "oai:my-tune": { window_tokens: 7 } },
  });

  expect(catalog.cardOf({ instance: "OAI", model: "My-Tune" }).window_tokens).toBe(7);
});

test.each<{ what: string; instance: Instance; model: string; input_usd: number | null }>([
  { what: "a local server", instance: instance("o", "ollama"), model: "qwen3:8b", input_usd: 0 },
  {
    what: "a cloud model behind it",
    instance: instance("o", "ollama"),
    model: "kimi-k3:cloud",
    input_usd: null,
  },
  {
    what: "what the config calls its own",
    instance: instance("nim", "openai-compatible", { local: true }),
    model: "m",
    input_usd: 0,
  },
  {
    what: "a vendor's server that the config calls its own",
    instance: instance("oai", "openai", { local: true }),
    model: "gpt-5.4",
    input_usd: 0,
  },
  {
    what: "a server of unknown hands",
    instance: instance("nim", "openai-compatible"),
    model: "m",
    input_usd: null,
  },
  {
    what: "a vendor's model at an aggregator that does not list it",
    instance: instance("or", "openrouter"),
    model: "openai/gpt-5.4",
    input_usd: null,
  },
  {
    what: "a free model there",
    instance: instance("or", "openrouter"),
    model: "z-ai/glm-5.3-flash:free",
    input_usd: 0,
  },
])("$what costs $input_usd", ({ instance: one, model, input_usd }) => {
  const { catalog } = rig({ instances: [one] });

  expect(catalog.cardOf({ instance: one.name, model }).price.input_usd).toBe(input_usd);
});

test("an instance that does not exist has a card of unknowns", () => {
  const { catalog } = rig({ instances: [] });

  expect(catalog.cardOf({ instance: "nobody", model: "gpt-5.4" })).toEqual(UNKNOWN_CARD);
  expect(catalog.costOf({ instance: "nobody", target: "nobody:m" }, null)).toBeNull();
});

test("a new listing, a reload and a new hour count at once", () => {
  const { given, registry, catalog, list } = rig({
    instances: [instance("g", "gemini"), instance("or", "openrouter")],
    at: "2026-12-31T23:30:00Z",
  });
  const flash = () => catalog.cardOf({ instance: "g", model: "gemini-3.8-flash" }).price.input_usd;
  const listed = () => catalog.cardOf({ instance: "or", model: "a/b" }).price.input_usd;

  expect([flash(), listed()]).toEqual([0.75, null]);
  list("or", ["a/b"], { "a/b": { price: { input_usd: 3, output_usd: 4 } } });
  given.now += 3_600_000;
  expect([flash(), listed()]).toEqual([1.5, 3]);
  given.overrides = new Map([["g:gemini-3.8-flash", { price: { input_usd: 1 } }]]);
  expect(flash()).toBe(1);
  registry.replaceConfigured([instance("g", "gemini", { local: true })]);
  given.overrides = new Map();
  expect(flash()).toBe(0);
});

test("the same card is the same object until something changes", () => {
  const { catalog } = rig({ instances: [OPENAI] });
  const ask = () => catalog.cardOf({ instance: "oai", model: "gpt-5.4" });

  expect(ask()).toBe(ask());
});

test("a flood of invented names does not grow without bound", () => {
  const { catalog } = rig({ instances: [OPENAI] });
  const first = catalog.cardOf({ instance: "oai", model: "gpt-5.4" });

  for (let n = 0; n < 5000; n++) catalog.cardOf({ instance: "oai", model: `m${n}` });

  expect(catalog.cardOf({ instance: "oai", model: "gpt-5.4" })).not.toBe(first);
  expect(catalog.cardOf({ instance: "oai", model: "gpt-5.4" })).toEqual(first);
});

test.each<{ what: string; one: Instance; target: string; usage: object; cost: number | null }>([
  {
    what: "by the card",
    one: OPENAI,
    target: "oai:gpt-5.4",
    usage: { input_tokens: 1_000_000, output_tokens: 0 },
    cost: 5,
  },
  {
    what: "by OpenRouter's own word",
    one: instance("or", "openrouter"),
    target: "or:openrouter/auto",
    usage: { input_tokens: 1, output_tokens: 1, cost: 0.25 },
    cost: 0.25,
  },
  {
    what: "not by the word of others, whose unit nobody knows",
    one: OPENAI,
    target: "oai:unheard-of",
    usage: { input_tokens: 1, output_tokens: 1, cost: 0.25 },
    cost: null,
  },
  {
    what: "nothing on one's own machine",
    one: instance("v", "vllm"),
    target: "v:qwen:7b",
    usage: { input_tokens: null, output_tokens: null },
    cost: 0,
  },
])("a call is costed $what", ({ one, target, usage, cost }) => {
  const { catalog } = rig({ instances: [one] });
  const known = { input_tokens: null, output_tokens: null, ...usage };

  expect(catalog.costOf({ instance: one.name, target }, known)).toBe(cost);
});

test("rows are what is listed, configured or described, with where each fact is from", () => {
  const { catalog, list } = rig({
    instances: [
      instance("or", "openrouter"),
      instance("nim", "openai-compatible", { configured_models: ["a"] }),
    ],
    overrides: { "nim:b": { window_tokens: 9 }, "nim:a": {}, "openrouter:z": {} },
  });
  list("or", ["x/y"], { "x/y": { window_tokens: 5 } });

  const rows = catalog.rows();

  expect(rows.map(({ target }) => target)).toEqual(["or:x/y", "nim:a", "nim:b"]);
  expect(rows[0]?.sources.window_tokens).toBe("listing");
  expect(rows[0]?.reference).toBeNull();
});

test("a row of a bundled price names the vendor's page", () => {
  const { catalog } = rig({
    instances: [instance("oai", "openai", { configured_models: ["o3"] })],
  });

  expect(catalog.rows()[0]?.reference).toBe("https://developers.openai.com/api/docs/pricing");
});
