import { expect, test } from "bun:test";

import { useOf } from "../../../../src/canary/endpoints/exclude.ts";
import { listingPath, readListing } from "../../../../src/canary/endpoints/listing.ts";
import { mergeIgnore } from "../../../../src/canary/endpoints/merge-ignore.ts";
import { targetEndpoints } from "../../../../src/canary/endpoints/watched-targets.ts";
import { mergeCard } from "../../../../src/catalog/merge-card.ts";
import { type Exclusion, indexExclusions } from "../../../../src/health/exclusions.ts";
import { anEndpoint } from "../probes/an-endpoint.ts";

const TARGET = { instance: "or", model: "a/m" };
const listed = (...endpoints: readonly unknown[]) => ({ data: { id: "a/m", endpoints } });

test("hosts are read with their names, prices and parameters", () => {
  const listing = listed({
    name: "DeepInfra | a/m",
    provider_name: "DeepInfra",
    tag: "deepinfra/fp8",
    status: 0,
    pricing: { prompt: "0.0000003", completion: "0.0000012", request: "0", input_cache_read: "-1" },
    supported_parameters: ["temperature", "reasoning", 7],
  });

  expect(readListing(listing, TARGET)).toEqual({
    ok: true,
    endpoints: [
      {
        key: "or:a/m@deepinfra/fp8",
        instance: "or",
        model: "a/m",
        host: "deepinfra/fp8",
        host_name: "DeepInfra",
        groups: ["or:a/m"],
        price: {
          input_usd: expect.closeTo(0.3),
          output_usd: expect.closeTo(1.2),
          cached_input_usd: null,
          request_usd: 0,
        },
        supported: ["temperature", "reasoning"],
        reasoning: true,
      },
    ],
  });
});

test.each([
  { what: "no tag", entry: { provider_name: "X" } },
  { what: "a tag that is none", entry: { tag: "a/b/c d" } },
  { what: "a host that is switched off", entry: { tag: "x", status: -10 } },
  { what: "no object", entry: "x" },
])("$what is left out, and the rest is read", ({ entry }) => {
  const read = readListing(listed(entry, { tag: "y", status: -1 }, { tag: "y" }), TARGET);

  expect(read.ok && read.endpoints.map(({ host }) => host)).toEqual(["y"]);
});

test.each([
  { listing: null },
  { listing: {} },
  { listing: { data: { endpoints: {} } } },
  { listing: "x" },
])("$listing is no listing", ({ listing }) => {
  expect(readListing(listing, TARGET)).toEqual({
    ok: false,
    reason: "the listing has no `data.endpoints`",
  });
});

test("a listing of thousands is read up to a bound", () => {
  const many = Array.from({ length: 5000 }, (_, at) => ({ tag: `host-${at}` }));
  const read = readListing(listed(...many), TARGET);

  expect(read.ok && read.endpoints.length).toBe(64);
});

test.each([
  { model: "z-ai/glm-5", path: "/models/z-ai/glm-5/endpoints" },
  { model: "a/m:free", path: "/models/a/m%3Afree/endpoints" },
  { model: "a/../m", path: null },
  { model: "glm-5", path: null },
  { model: "/m", path: null },
])("the hosts of $model are listed at $path", ({ model, path }) => {
  expect(listingPath(model)).toBe(path);
});

test("a target in two pools is one endpoint in two groups", () => {
  const { card } = mergeCard([]);
  const [box, nim] = [
    { instance: "box", model: "q" },
    { instance: "nim", model: "q" },
  ];
  const endpoints = targetEndpoints(
    [
      { name: "main", targets: [box, nim, box] },
      { name: "deep", targets: [box] },
    ],
    () => card,
  );

  expect(endpoints.map(({ key, host, groups }) => ({ key, host, groups }))).toEqual([
    { key: "box:q", host: null, groups: ["main", "deep"] },
    { key: "nim:q", host: null, groups: ["main"] },
  ]);
});

function exclusion(source: Exclusion["source"], until_at: number | null = null): Exclusion {
  const about = { scope: "target", subject: "or:a/m", reason: "", created_at: null } as const;
  return { ...about, id: source, source, until_at };
}

test.each<{ what: string; exclusions: Exclusion[]; use: string }>([
  { what: "nobody", exclusions: [], use: "watched" },
  { what: "a person", exclusions: [exclusion("operator")], use: "excluded" },
  { what: "a person, until a while ago", exclusions: [exclusion("operator", 5)], use: "watched" },
  { what: "the config", exclusions: [exclusion("config"), exclusion("operator")], use: "off" },
  { what: "the release", exclusions: [exclusion("shipped")], use: "off" },
])("what $what shut out is $use", ({ exclusions, use }) => {
  expect<string>(useOf(anEndpoint(), indexExclusions(exclusions), 10)).toBe(use);
});

test.each([
  { own: [], hosts: [], merged: undefined },
  { own: ["b"], hosts: ["b"], merged: undefined },
  { own: ["z"], hosts: ["b", "a", "b"], merged: ["a", "b", "z"] },
])("$own and $hosts are ignored as $merged", ({ own, hosts, merged }) => {
  expect(mergeIgnore(own, hosts)).toEqual(merged);
});
