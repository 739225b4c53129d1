import { expect, test } from "bun:test";

import type { Instance, Listing } from "../../../src/upstream/instance.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";
import { sampleInstance } from "./samples.ts";

const instance = (name: string, source: Instance["source"], parts: Partial<Instance> = {}) =>
  sampleInstance({ name, source, ...parts });
const listing: Listing = { state: "ok", models: ["m"], at: 5 };
const UNKNOWN: Listing = { state: "unknown", models: [], at: null };

const names = (instances: readonly Instance[]) => instances.map(({ name }) => name);

test("instances stand in the order file, environment, local, builtin, however they came", () => {
  const registry = createRegistry();

  registry.add(instance("ollama", "local"));
  registry.replaceConfigured([
    instance("sim", "builtin"),
    instance("groq", "environment"),
    instance("b", "config"),
    instance("a", "config"),
  ]);

  expect(names(registry.list())).toEqual(["b", "a", "groq", "ollama", "sim"]);
});

test("a local find steps aside for a configured instance of its name and is back when that goes", () => {
  const registry = createRegistry();
  registry.add(instance("ollama", "local"));

  registry.replaceConfigured([instance("ollama", "config")]);
  const during = registry.list().map(({ source }) => source);
  registry.replaceConfigured([]);

  expect(during).toEqual(["config"]);
  expect(registry.get("ollama")?.source).toBe("local");
});

test("a rented runtime stays through a reload and comes before what the environment gives", () => {
  const registry = createRegistry();
  registry.replaceConfigured([instance("groq", "environment")]);
  registry.add(instance("gpu", "runtime"));

  registry.replaceConfigured([instance("groq", "environment")]);

  expect(names(registry.list())).toEqual(["gpu", "groq"]);
});

test("removing takes back what was added, never what the config holds", () => {
  const registry = createRegistry();
  registry.replaceConfigured([instance("ollama", "config")]);
  registry.add(instance("ollama", "local"));

  registry.remove("ollama");

  expect(registry.list().map(({ source }) => source)).toEqual(["config"]);
});

test("names meet without regard to case, since specs arrive folded", () => {
  const registry = createRegistry();
  registry.replaceConfigured([instance("NIM", "config"), instance("nim", "environment")]);
  registry.setListing("nim", listing);

  expect(registry.get("nim")?.name).toBe("NIM");
  expect(names(registry.list())).toEqual(["NIM"]);
  expect(registry.listing("Nim")).toEqual(listing);
});

test.each<{ change: string; next: Partial<Instance>; kept: boolean }>([
  { change: "its default model", next: { default_model: "x" }, kept: true },
  { change: "its base URL", next: { base_url: "https://other.example/v1" }, kept: false },
  { change: "its credential", next: { credential: "sk-other" }, kept: false },
])("a reload that changes $change of an instance keeps its listing: $kept", ({ next, kept }) => {
  const registry = createRegistry();
  registry.replaceConfigured([instance("acme", "config")]);
  registry.setListing("acme", listing);

  registry.replaceConfigured([instance("acme", "config", next)]);

  expect(registry.listing("acme")).toEqual(kept ? listing : UNKNOWN);
});

test("a listing that arrives after its instance went is not kept for the next one of that name", () => {
  const registry = createRegistry();
  registry.setListing("acme", listing);

  registry.add(instance("acme", "local"));

  expect(registry.listing("acme")).toEqual(UNKNOWN);
});
