import { afterEach, expect, jest, test } from "bun:test";

import { array, assert, jsonValue, property, string } from "fast-check";

import type { Fetch } from "../../../src/upstream/fetch.ts";
import { type ListingAnswer, listModels } from "../../../src/upstream/listing.ts";
import { modelIds } from "../../../src/upstream/model-ids.ts";
import { rawServer } from "./raw-server.ts";
import { identity, sampleInstance, sampleType } from "./samples.ts";

afterEach(() => jest.useRealTimers());

const silent: Fetch = (_url, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
const unasked: Fetch = () => Promise.reject(new Error("asked"));
const clock = { now: () => 1_000, elapsed: () => 0 };

function list(base_url: string, parts: { fetch?: Fetch; signal?: AbortSignal } = {}) {
  const instance = sampleInstance({ base_url });
  const signal = new AbortController().signal;
  return listModels({ fetch, instance, identity, clock, signal, ...parts });
}

/** A server whose every answer this is. */
function answering(response: () => Response) {
  return Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: response });
}

const failed = (failure: string): ListingAnswer => ({
  state: "failed",
  models: [],
  at: null,
  failure,
});

test.each<{ what: string; body: unknown; prefix?: string; wants: string[] | undefined }>([
  {
    what: "OpenAI's list",
    body: { object: "list", data: [{ id: "a" }, { id: "b/c" }] },
    wants: ["a", "b/c"],
  },
  { what: "a bare array", body: [{ id: "a" }], wants: ["a"] },
  { what: "an array of names", body: ["a", "b"], wants: ["a", "b"] },
  {
    what: "Ollama's tags",
    body: { models: [{ name: "qwen3:8b", model: "qwen3:8b", digest: "d" }] },
    wants: ["qwen3:8b"],
  },
  {
    what: "llama.cpp's double list",
    body: { models: [{ name: "x.gguf" }], data: [{ id: "qwen" }] },
    wants: ["qwen"],
  },
  {
    what: "prefixed ids",
    body: { data: [{ id: "models/gemini-3" }, { id: "tuned/x" }] },
    prefix: "models/",
    wants: ["gemini-3", "tuned/x"],
  },
  { what: "an empty list", body: { data: [] }, wants: [] },
  { what: "ids twice", body: [{ id: "a" }, { id: "a" }], wants: ["a"] },
  {
    what: "ids that cannot be addressed",
    body: ["", "a b", "a\nb", "a\u0000", "\u202Eevil", "x".repeat(257), "ok", "größe:7b"],
    wants: ["ok", "größe:7b"],
  },
  {
    what: "entries that are none",
    body: { data: [null, 7, [], {}, { id: 7 }, { id: null, name: "n" }] },
    wants: ["n"],
  },
  {
    what: "`__proto__` as a member",
    body: JSON.parse('{"__proto__":{"data":["a"]}}'),
    wants: undefined,
  },
  { what: "an error", body: { error: { message: "x" } }, wants: undefined },
  { what: "a list that is an object", body: { data: { id: "a" } }, wants: undefined },
  { what: "null", body: null, wants: undefined },
  { what: "text", body: "models", wants: undefined },
])("$what gives $wants", ({ body, prefix = "", wants }) => {
  expect(modelIds(body, prefix)).toEqual(wants);
});

test("whatever JSON arrives, ids are addressable and never twice", () => {
  assert(
    property(jsonValue(), array(string({ unit: "binary" })), (value, ids) => {
      for (const listing of [value, ids, { data: value }, { data: ids.map((id) => ({ id })) }]) {
        const found = modelIds(listing, "") ?? [];
        expect(found.filter((id) => id === "" || /[\s\p{C}]/u.test(id))).toEqual([]);
        expect(new Set(found).size).toBe(found.length);
      }
    }),
  );
});

test("a listing is kept to a bounded number of models", () => {
  const ids = Array.from({ length: 20_000 }, (_, n) => `m${n}`);

  expect(modelIds(ids, "")?.length).toBe(10_000);
});

test("an instance is asked as ourselves, with its credential", async () => {
  let seen: Record<string, string> = {};
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { method, url, headers } = request;
      seen = { method, path: new URL(url).pathname, ...Object.fromEntries(headers) };
      return Response.json({ data: [{ id: "a" }] });
    },
  });

  const answer = await list(`${server.url.origin}/v1`);

  expect(answer).toEqual({ state: "ok", models: ["a"], at: 1_000, failure: null });
  expect(seen).toMatchObject({
    method: "GET",
    path: "/v1/models",
    authorization: "Bearer sk-acme",
    "user-agent": "veriroute/1.2.3",
    via: "veriroute/r1",
  });
});

test("an instance without a listing stays unknown, unasked", async () => {
  const paths = {
    chat: "/chat/completions",
    completions: null,
    embeddings: null,
    messages: null,
    responses: null,
    models: null,
  };
  const instance = sampleInstance({ type: sampleType({ paths }) });
  const { signal } = new AbortController();

  expect(await listModels({ fetch: unasked, instance, identity, clock, signal })).toEqual({
    state: "unknown",
    models: [],
    at: null,
    failure: null,
  });
});

test.each<{ what: string; response: () => Response; failure: string }>([
  {
    what: "401",
    response: () => new Response("no", { status: 401 }),
    failure: "refused the credential (HTTP 401)",
  },
  {
    what: "500",
    response: () => new Response("boom", { status: 500 }),
    failure: "answered HTTP 500",
  },
  {
    what: "a redirect",
    response: () =>
      new Response(null, { status: 302, headers: { location: "https://evil.example/x?k" } }),
    failure: "redirects to `evil.example`, which is not followed",
  },
  {
    what: "HTML",
    response: () => new Response("<html>"),
    failure: "answered something that is no model list",
  },
  {
    what: "nesting without end",
    response: () => new Response("[".repeat(5_000_000)),
    failure: "answered something that is no model list",
  },
  {
    what: "an unknown encoding",
    response: () => new Response("x", { headers: { "content-encoding": "lz4" } }),
    failure: "answered what is not readable as HTTP",
  },
])("$what is a failure in our own words", async ({ response, failure }) => {
  using server = answering(response);

  expect(await list(server.url.origin)).toEqual(failed(failure));
});

test("a listing without end is cut off, and the upstream let go", async () => {
  const gone = Promise.withResolvers<void>();
  const chunk = new TextEncoder().encode(`"${"x".repeat(65_000)}",`);
  using server = answering(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(chunk),
          cancel: () => gone.resolve(),
        }),
      ),
  );

  const answer = await list(server.url.origin);
  await gone.promise;

  expect(answer).toEqual(failed("answered something that is no model list"));
});

test("a closed port is a failure that says so", async () => {
  const closed = rawServer(() => undefined);
  closed[Symbol.dispose]();

  expect(await list(closed.url)).toEqual(failed("cannot be connected to (ECONNREFUSED)"));
});

test("a listing that is no longer wanted ends", async () => {
  const leaving = new AbortController();
  using server = rawServer(() => leaving.abort());

  expect(await list(server.url, { signal: leaving.signal })).toEqual(failed("was not waited for"));
});

test("a silent instance is given up after ten seconds", async () => {
  jest.useFakeTimers();
  let answer: ListingAnswer | undefined;

  const listing = list("http://127.0.0.1:1", { fetch: silent }).then((given) => (answer = given));
  jest.advanceTimersByTime(9_999);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  const before = answer;
  jest.advanceTimersByTime(1);
  await listing;

  expect(before).toBeUndefined();
  expect(answer).toEqual(failed("did not answer within 10 s"));
});
