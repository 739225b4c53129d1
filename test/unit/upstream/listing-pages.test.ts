import { expect, test } from "bun:test";

import { type ListingAnswer, listModels } from "../../../src/upstream/listing.ts";
import { identity, sampleInstance } from "./samples.ts";

const clock = { now: () => 1_000, elapsed: () => 0 };

interface Pages extends Disposable {
  /** The listing as the instance reads it, and what it was asked for. */
  read(): Promise<{ readonly answer: ListingAnswer; readonly asked: readonly string[] }>;
}

/** A server that answers each request by its query. */
function serving(page: (query: URLSearchParams, url: URL) => object | Response): Pages {
  const asked: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const url = new URL(request.url);
      asked.push(`${request.headers.get("authorization")} ${url.pathname}${url.search}`);
      const body = page(url.searchParams, url);
      return body instanceof Response ? body : Response.json(body);
    },
  });
  return {
    async read() {
      const instance = sampleInstance({ base_url: `${server.url.origin}/v1` });
      const { signal } = new AbortController();
      return { answer: await listModels({ fetch, instance, identity, clock, signal }), asked };
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const listed = (...models: string[]): ListingAnswer => {
  return { state: "ok", models, at: 1_000, failure: null };
};
const PLAIN = "Bearer sk-acme /v1/models";

test("pages in Anthropic's form are one listing, all asked with the same credential", async () => {
  using pages = serving((query) => {
    const after = query.get("after_id");
    if (after === null) return { data: [{ id: "a" }], has_more: true, last_id: "a" };
    if (after === "a") return { data: [{ id: "b" }], has_more: true, last_id: "b/&c" };
    return { data: [{ id: "c" }, { id: "a" }], has_more: false, last_id: "c" };
  });

  expect(await pages.read()).toEqual({
    answer: listed("a", "b", "c"),
    asked: [PLAIN, `${PLAIN}?limit=1000&after_id=a`, `${PLAIN}?limit=1000&after_id=b%2F%26c`],
  });
});

test("pages in Google's form are one listing, with the facts of every page", async () => {
  using pages = serving((query) =>
    query.get("pageToken") === null
      ? { models: [{ name: "a" }], nextPageToken: "t=1" }
      : { models: [{ name: "b", inputTokenLimit: 8192 }], nextPageToken: "" },
  );

  const { answer, asked } = await pages.read();

  expect(answer).toEqual({
    ...listed("a", "b"),
    facts: new Map([["b", { window_tokens: 8192 }]]),
  });
  expect(asked).toEqual([PLAIN, `${PLAIN}?pageSize=1000&pageToken=t%3D1`]);
});

test.each<{ what: string; body: object }>([
  {
    what: "an address of its own",
    body: { next: "http://evil.example/v1/models", has_more: true },
  },
  { what: "a cursor that is no text", body: { has_more: true, last_id: 7 } },
  { what: "a cursor without end", body: { nextPageToken: "x".repeat(3000) } },
  { what: "a cursor, but nothing behind it", body: { has_more: false, last_id: "a" } },
])("of a listing with $what one page is read", async ({ body }) => {
  using pages = serving(() => ({ data: [{ id: "a" }], ...body }));

  expect(await pages.read()).toEqual({ answer: listed("a"), asked: [PLAIN] });
});

test("a server that gives the same page for ever is asked twice", async () => {
  using pages = serving(() => ({ data: [{ id: "a" }], has_more: true, last_id: "a" }));

  const { answer, asked } = await pages.read();

  expect(answer).toEqual(listed("a"));
  expect(asked).toHaveLength(2);
});

test("a listing without a last page is read ten pages far", async () => {
  let made = 0;
  using pages = serving(() => {
    const id = `m${made++}`;
    return { data: [{ id }], has_more: true, last_id: id };
  });

  const { answer, asked } = await pages.read();

  expect(asked).toHaveLength(10);
  expect(answer.models).toHaveLength(10);
});

test.each<{ what: string; second: () => Response; failure: string }>([
  {
    what: "fails",
    second: () => new Response("no", { status: 500 }),
    failure: "answered HTTP 500",
  },
  {
    what: "redirects",
    second: () => new Response(null, { status: 302, headers: { location: "http://evil.example" } }),
    failure: "redirects to `evil.example`, which is not followed",
  },
  {
    what: "is none",
    second: () => Response.json({ error: { message: "no" } }),
    failure: "answered something that is no model list",
  },
  {
    what: "is too long",
    second: () => new Response(`["${"x".repeat(5_000_000)}"]`),
    failure: "answered something that is no model list",
  },
])("a page that $what fails the listing, which would pass for the whole", async (row) => {
  using pages = serving((query) =>
    query.get("after_id") === null
      ? { data: [{ id: "a" }], has_more: true, last_id: "a" }
      : row.second(),
  );

  const { answer } = await pages.read();

  expect(answer).toEqual({ state: "failed", models: [], at: null, failure: row.failure });
});
