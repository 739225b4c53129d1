import { expect, test } from "bun:test";

import type { DiscoveryChange } from "../../../src/upstream/discovery-change.ts";
import { createLocalDiscovery } from "../../../src/upstream/discovery.ts";
import type { Fetch } from "../../../src/upstream/fetch.ts";
import { createRegistry } from "../../../src/upstream/registry.ts";
import { identity, sampleConfig, sampleInstance } from "./samples.ts";

/** What stands on a port: a list of models, nobody, or someone too busy. */
type Occupant = readonly string[] | "nobody" | "busy";

/** Discovery over an imagined machine whose vLLM and llama.cpp ports hold these occupants. */
function machine(start: { readonly vllm?: Occupant; readonly llamacpp?: Occupant } = {}) {
  const ports: Record<string, Occupant> = {
    "8000": start.vllm ?? "nobody",
    "8080": start.llamacpp ?? "nobody",
  };
  const owners: Record<string, string> = { "8000": "vllm", "8080": "llamacpp" };
  const asked: string[] = [];
  const fetch: Fetch = (url) => {
    const { port } = new URL(url);
    asked.push(port);
    const occupant = ports[port] ?? "nobody";
    if (occupant === "nobody") {
      return Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" }));
    }
    if (occupant === "busy") return Promise.reject(new DOMException("x", "TimeoutError"));
    const owned_by = owners[port] ?? "";
    return Promise.resolve(Response.json({ data: occupant.map((id) => ({ id, owned_by })) }));
  };
  const registry = createRegistry();
  const changes: DiscoveryChange[] = [];
  let ownPort: number | null = null;
  const look = createLocalDiscovery({
    registry,
    fetch,
    identity,
    clock: { now: () => 42, elapsed: () => 0 },
    routing: () => sampleConfig({}).routing,
    ownPort: () => ownPort,
    report: (change) => changes.push(change),
  });
  return {
    registry,
    changes,
    asked,
    names: () => registry.list().map(({ name, source }) => `${name} ${source}`),
    occupy: (port: 8000 | 8080, occupant: Occupant) => void (ports[port] = occupant),
    listenOn: (port: number) => void (ownPort = port),
    round: () => look(new AbortController().signal),
  };
}

test("a server that is found becomes an instance of its type's name, with what it lists", async () => {
  const { registry, changes, round } = machine({ vllm: ["qwen"] });

  await round();
  await round();

  expect(registry.get("vllm")).toMatchObject({
    name: "vllm",
    base_url: "http://127.0.0.1:8000/v1",
    credential: null,
    source: "local",
    local: false,
    direct: true,
    problem: null,
  });
  expect(registry.listing("vllm")).toEqual({ state: "ok", models: ["qwen"], at: 42 });
  expect(changes).toEqual([{ kind: "found", instance: "vllm", models: 1 }]);
});

test("a later round brings the listing up to date", async () => {
  const { registry, occupy, round } = machine({ vllm: ["qwen"] });
  await round();

  occupy(8000, ["qwen", "lora"]);
  await round();

  expect(registry.listing("vllm").models).toEqual(["qwen", "lora"]);
});

test("a server that is gone leaves at once", async () => {
  const { names, changes, occupy, round } = machine({ vllm: ["qwen"], llamacpp: ["x"] });
  await round();

  occupy(8000, "nobody");
  await round();

  expect(names()).toEqual(["llamacpp local"]);
  expect(changes.at(-1)).toEqual({ kind: "vanished", instance: "vllm" });
});

test("a busy server stays for two silent rounds and leaves with the third", async () => {
  const { names, occupy, round } = machine({ vllm: ["qwen"] });
  await round();
  occupy(8000, "busy");
  const seen: string[][] = [];

  for (let n = 0; n < 3; n++) {
    await round();
    seen.push(names());
  }

  expect(seen).toEqual([["vllm local"], ["vllm local"], []]);
});

test("an answer between silent rounds starts the count anew", async () => {
  const { names, occupy, round } = machine({ vllm: ["qwen"] });
  await round();

  for (const occupant of ["busy", "busy", ["qwen"], "busy", "busy"] as const) {
    occupy(8000, occupant);
    await round();
  }

  expect(names()).toEqual(["vllm local"]);
});

test.each<{ why: string; name: string; base_url: string }>([
  { why: "its name is configured", name: "VLLM", base_url: "https://gpu.example/v1" },
  { why: "its address is configured", name: "gpu", base_url: "http://localhost:8000/v1" },
])("a server is left alone, and a find of it dropped, once $why", async ({ name, base_url }) => {
  const { registry, names, asked, round } = machine({ vllm: ["qwen"] });
  await round();
  asked.length = 0;

  registry.replaceConfigured([sampleInstance({ name, base_url })]);
  await round();

  expect(names()).toEqual([`${name} config`]);
  expect(asked).not.toContain("8000");
});

test("the router's own port is never asked", async () => {
  const { asked, listenOn, round } = machine();
  listenOn(8080);

  await round();

  expect(asked).not.toContain("8080");
  expect(asked).toContain("8000");
});
