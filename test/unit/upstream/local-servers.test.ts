import { expect, test } from "bun:test";

import type { ProviderType } from "../../../src/catalog/provider-type.ts";
import { providerType } from "../../../src/catalog/provider-types.ts";
import type { Fetch } from "../../../src/upstream/fetch.ts";
import {
  type LocalAnswer,
  localTypes,
  probeLocalServer,
} from "../../../src/upstream/local-servers.ts";
import { identity } from "./samples.ts";

/** What a server answers at each path; all other paths are 404. */
type Routes = Readonly<Record<string, () => Response>>;

function known(id: string): ProviderType {
  const type = providerType(id);
  if (type === undefined) throw new Error(id);
  return type;
}

/** Probes a loopback server that stands in for whatever listens on the usual port. */
async function probe(id: string, routes: Routes, signal = new AbortController().signal) {
  const asked: object[] = [];
  let to = "";
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { method, headers } = request;
      const [agent, via, authorization] = ["user-agent", "via", "authorization"].map((name) =>
        headers.get(name),
      );
      asked.push({ to, method, agent, via, authorization });
      const { pathname } = new URL(request.url);
      return routes[pathname]?.() ?? new Response("not found", { status: 404 });
    },
  });
  const toLoopback: Fetch = (url, init) => {
    const target = new URL(url);
    to = target.port;
    return fetch(`${server.url.origin}${target.pathname}`, init);
  };
  const answer = await probeLocalServer({ fetch: toLoopback, identity, type: known(id), signal });
  return { answer, asked };
}

const json =
  (body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { headers });
const listOf = (...models: unknown[]) => json({ object: "list", data: models });
const found = (...models: string[]): LocalAnswer => ({ kind: "found", models });

const refused: Fetch = () =>
  Promise.reject(Object.assign(new Error("x"), { code: "ECONNREFUSED" }));

const OLLAMA = {
  "/api/tags": json({ models: [{ name: "qwen3:8b", model: "qwen3:8b", digest: "d" }] }),
};
const VLLM = {
  "/v1/models": listOf({ id: "qwen", owned_by: "vllm" }, { id: "lora", owned_by: "vllm" }),
};
const LLAMACPP = {
  "/v1/models": json({
    models: [{ name: "x.gguf" }],
    data: [{ id: "qwen", owned_by: "llamacpp", meta: { n_params: 1 } }],
  }),
};
const LMSTUDIO = {
  "/api/v1/models": json({ models: [{ type: "llm", key: "qwen/qwen3", loaded_instances: [] }] }),
};
const OLDER_LMSTUDIO = {
  "/api/v0/models": listOf({ id: "qwen3", publisher: "qwen", state: "not-loaded" }),
};

test.each<{ id: string; what: string; routes: Routes; wants: LocalAnswer }>([
  { id: "ollama", what: "its tags", routes: OLLAMA, wants: found("qwen3:8b") },
  {
    id: "ollama",
    what: "its OpenAI list",
    routes: { "/v1/models": listOf({ id: "qwen3:8b", owned_by: "library" }) },
    wants: found("qwen3:8b"),
  },
  { id: "vllm", what: "its list", routes: VLLM, wants: found("qwen", "lora") },
  { id: "llamacpp", what: "its list", routes: LLAMACPP, wants: found("qwen") },
  { id: "lmstudio", what: "its native list", routes: LMSTUDIO, wants: found("qwen/qwen3") },
  { id: "lmstudio", what: "its older list", routes: OLDER_LMSTUDIO, wants: found("qwen3") },
])("$id is recognised by $what", async ({ id, routes, wants }) => {
  expect((await probe(id, routes)).answer).toEqual(wants);
});

test.each<{ id: string; what: string; routes: Routes }>([
  { id: "vllm", what: "llama.cpp", routes: LLAMACPP },
  { id: "llamacpp", what: "vLLM", routes: VLLM },
  { id: "ollama", what: "vLLM", routes: VLLM },
  { id: "lmstudio", what: "Ollama", routes: OLLAMA },
  {
    id: "vllm",
    what: "a gateway",
    routes: { "/v1/models": listOf({ id: "gpt-5", owned_by: "openai" }) },
  },
  { id: "vllm", what: "a web site", routes: { "/v1/models": () => new Response("<html>") } },
  {
    id: "vllm",
    what: "a login page",
    routes: { "/v1/models": () => Response.redirect("http://127.0.0.1:1/login") },
  },
  {
    id: "vllm",
    what: "a server that wants a key",
    routes: { "/v1/models": () => new Response("", { status: 401 }) },
  },
  { id: "ollama", what: "a server without models", routes: { "/api/tags": json({ models: [] }) } },
  {
    id: "vllm",
    what: "a router by its header",
    routes: {
      "/v1/models": json(
        { data: [{ id: "q", owned_by: "vllm" }] },
        { "x-veriroute-decision": "d" },
      ),
    },
  },
  {
    id: "vllm",
    what: "a router by its own entries",
    routes: {
      "/v1/models": listOf({ id: "auto", owned_by: "veriroute" }, { id: "q", owned_by: "vllm" }),
    },
  },
])("$what on the port of $id is passed over", async ({ id, routes }) => {
  expect((await probe(id, routes)).answer).toEqual({ kind: "absent" });
});

test("a server that still loads is waited for", async () => {
  const routes = { "/v1/models": () => new Response("", { status: 503 }) };

  expect((await probe("llamacpp", routes)).answer).toEqual({ kind: "silent" });
});

test("a server that does not answer in time is silent, not absent", async () => {
  const limit = new AbortController();
  const stalled = () => {
    limit.abort();
    return new Response(new ReadableStream());
  };

  const { answer } = await probe("vllm", { "/v1/models": stalled }, limit.signal);

  expect(answer).toEqual({ kind: "silent" });
});

test("nobody there is absent", async () => {
  const { signal } = new AbortController();

  expect(await probeLocalServer({ fetch: refused, identity, type: known("vllm"), signal })).toEqual(
    { kind: "absent" },
  );
});

test.each(localTypes().map(({ id, local_port }) => ({ id, port: String(local_port) })))(
  "$id is asked on port $port with GET only, as ourselves and without credential",
  async ({ id, port }) => {
    const { asked } = await probe(id, {});

    const probed = {
      to: port,
      method: "GET",
      agent: "veriroute/1.2.3",
      via: "veriroute/r1",
      authorization: null,
    };
    expect(asked.length).toBeGreaterThan(0);
    expect(asked).toEqual(asked.map(() => probed));
  },
);

test("the servers looked for are the four of the catalogue", () => {
  expect(localTypes().map(({ id, local_port }) => [id, local_port])).toEqual([
    ["ollama", 11_434],
    ["vllm", 8000],
    ["lmstudio", 1234],
    ["llamacpp", 8080],
  ]);
});
