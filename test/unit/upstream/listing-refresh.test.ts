import { expect, test } from "bun:test";

import type { DiscoveryChange } from "../../../src/upstream/discovery-change.ts";
import type { Fetch } from "../../../src/upstream/fetch.ts";
import type { Instance } from "../../../src/upstream/instance.ts";
import { createListingRefresh } from "../../../src/upstream/listing-refresh.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";
import { identity, sampleInstance, sampleType } from "./samples.ts";

/** A refresh whose upstreams list what `models` says, null being a failure; jitter is at its middle. */
function refreshing(instances: readonly Instance[], random = () => 0.5) {
  let models: readonly string[] | null = ["a"];
  let elapsed = 0;
  const asked: string[] = [];
  const fetch: Fetch = (url) => {
    asked.push(new URL(url).hostname);
    return Promise.resolve(
      models === null
        ? new Response("", { status: 500 })
        : Response.json({ data: models.map((id) => ({ id })) }),
    );
  };
  const registry = createRegistry();
  registry.replaceConfigured(instances);
  const changes: DiscoveryChange[] = [];
  const clock = { now: () => 1_000 + elapsed, elapsed: () => elapsed };
  const report = (change: DiscoveryChange) => void changes.push(change);
  const due = createListingRefresh({ registry, fetch, identity, clock, random, report });
  return {
    registry,
    changes,
    asked,
    answer: (next: readonly string[] | null) => void (models = next),
    /** Lets time pass and returns how many instances were asked then. */
    after: async (ms: number) => {
      elapsed += ms;
      asked.length = 0;
      await due(new AbortController().signal);
      return asked.length;
    },
  };
}

test("an instance is asked at first and then every ten minutes", async () => {
  const { after, registry, changes } = refreshing([sampleInstance()]);

  expect([await after(0), await after(599_999), await after(1)]).toEqual([1, 0, 1]);
  expect(registry.listing("acme")).toEqual({ state: "ok", models: ["a"], at: 601_000 });
  expect(changes).toEqual([{ kind: "listed", instance: "acme", models: 1 }]);
});

test("after failures it is asked sooner, then less and less often, and the last good list stays", async () => {
  const { after, answer, registry, changes } = refreshing([sampleInstance()]);
  await after(0);
  answer(null);
  await after(600_000);

  const waits = [10_000, 30_000, 90_000, 270_000, 600_000, 600_000];
  const asked: number[] = [];
  for (const wait of waits) asked.push(await after(wait - 1), await after(1));

  expect(asked).toEqual(waits.flatMap(() => [0, 1]));
  expect(registry.listing("acme")).toEqual({ state: "failed", models: ["a"], at: 1_000 });
  answer(["b"]);
  await after(600_000);
  expect(registry.listing("acme")).toMatchObject({ state: "ok", models: ["b"] });
  expect(changes).toEqual([
    { kind: "listed", instance: "acme", models: 1 },
    { kind: "listing_failed", instance: "acme", failure: "answered HTTP 500" },
    { kind: "listed", instance: "acme", models: 1 },
  ]);
});

test.each<{ why: string; instance: Partial<Instance> }>([
  { why: "the config names its models", instance: { configured_models: ["m"] } },
  {
    why: "it cannot be called",
    instance: { problem: { code: "missing_credential", message: "x" } },
  },
  { why: "discovery lists it", instance: { source: "local" } },
  {
    why: "its vendor has no listing",
    instance: {
      type: sampleType({
        paths: {
          chat: "/c",
          completions: null,
          embeddings: null,
          messages: null,
          responses: null,
          models: null,
        },
      }),
    },
  },
])("an instance is not asked where $why", async ({ instance }) => {
  const { after } = refreshing([sampleInstance(instance)]);

  expect(await after(0)).toBe(0);
});

test.each<{ random: number; wait: number }>([
  { random: 0, wait: 540_000 },
  { random: 0.999, wait: 659_880 },
])("with random $random the next look is after $wait ms", async ({ random, wait }) => {
  const { after } = refreshing([sampleInstance()], () => random);
  await after(0);

  expect([await after(wait - 1), await after(1)]).toEqual([0, 1]);
});

test("a reload has the new instances asked at once", async () => {
  const { after, registry, asked } = refreshing([sampleInstance()]);
  await after(0);

  registry.replaceConfigured([
    sampleInstance({ base_url: "https://moved.example/v1" }),
    sampleInstance({ name: "b", base_url: "https://b.example/v1" }),
  ]);
  await after(1);

  expect(asked).toEqual(["moved.example", "b.example"]);
});

test("an instance still being asked is not asked again", async () => {
  const registry = createRegistry();
  registry.replaceConfigured([sampleInstance()]);
  const { promise, resolve } = Promise.withResolvers<Response>();
  let calls = 0;
  const fetch: Fetch = () => {
    calls++;
    return promise;
  };
  const clock = { now: () => 0, elapsed: () => 0 };
  const due = createListingRefresh({
    registry,
    fetch,
    identity,
    clock,
    random: () => 0,
    report: () => undefined,
  });

  const first = due(new AbortController().signal);
  await due(new AbortController().signal);
  resolve(Response.json({ data: [] }));
  await first;

  expect(calls).toBe(1);
});

test("an answer for an instance that a reload replaced meanwhile is not taken for the new one's", async () => {
  const registry = createRegistry();
  registry.replaceConfigured([sampleInstance()]);
  const { promise, resolve } = Promise.withResolvers<Response>();
  const changes: DiscoveryChange[] = [];
  const due = createListingRefresh({
    registry,
    fetch: () => promise,
    identity,
    clock: { now: () => 0, elapsed: () => 0 },
    random: () => 0,
    report: (change) => changes.push(change),
  });

  const round = due(new AbortController().signal);
  registry.replaceConfigured([sampleInstance({ base_url: "https://moved.example/v1" })]);
  resolve(Response.json({ data: [{ id: "old" }] }));
  await round;

  expect(registry.listing("acme").state).toBe("unknown");
  expect(changes).toEqual([]);
});
