import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { connect } from "node:net";

import { StoreError } from "../../src/store/store-error.ts";
import { bearer, CLIENT_KEY, KEYED, startApi } from "../support/api-server.ts";

const SECRET = "my secret prompt";
const CHAT = "/v1/chat/completions";
const JSON_TYPE = { "content-type": "application/json" };
const GOOD = { model: "auto", messages: [{ role: "user", content: "hi" }] };

const api = await startApi({ toml: "[server]\nmax_in_flight = 2\n" });
afterAll(() => api[Symbol.asyncDispose]());
beforeEach(() => {
  api.relay.rejected.length = 0;
});
afterEach(() => {
  api.relay.script.inFlight = 0;
});

/** A body whose end waits. */
function gated(end: Promise<void>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new Uint8Array(Buffer.from(JSON.stringify(GOOD))));
      await end;
      controller.close();
    },
  });
}

test("a client that leaves while sending is an error of nobody", async () => {
  const done = Promise.withResolvers<void>();
  await using leaving = await startApi();
  leaving.relay.script.onRejected = done.resolve;
  const socket = connect(leaving.port, "127.0.0.1", () => {
    socket.write(
      `POST ${CHAT} HTTP/1.1\r\nHost: localhost\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"mess`,
      () => socket.destroy(),
    );
  });
  await done.promise;

  expect(leaving.relay.rejected).toMatchObject([{ code: "client_closed_request", status: 499 }]);
  expect(leaving.unexpected).toEqual([]);
});

describe("a full router", () => {
  test("answers 503 with a wait before it reads the body", async () => {
    api.relay.script.inFlight = 2;
    const answer = await api.send(CHAT, { messages: "not even checked" });

    expect([
      answer.status,
      answer.headers.get("retry-after"),
      answer.headers.get("x-should-retry"),
    ]).toEqual([503, "1", null]);
    expect(api.relay.rejected).toMatchObject([{ code: "router_busy", status: 503 }]);
  });

  test("counts requests that are still sending their body", async () => {
    const gate = Promise.withResolvers<void>();
    const slow = [gated(gate.promise), gated(gate.promise)].map((body) =>
      api.call(CHAT, { method: "POST", headers: JSON_TYPE, body }),
    );
    let status = 200;
    // The two may reach the router after a request that was sent later.
    while (status === 200) ({ status } = await api.send(CHAT, GOOD));
    gate.resolve();
    const ended = await Promise.all(slow);
    const after = await api.send(CHAT, GOOD);

    expect([status, ...ended.map((answer) => answer.status), after.status]).toEqual([
      503, 200, 200, 200,
    ]);
  });
});

test.each([
  { via: "veriroute/this-router", status: 508 },
  { via: "1.1 proxy, veriroute/this-router", status: 508 },
  { via: "1.1 veriroute/this-router", status: 508 },
  { via: "veriroute/another-router", status: 200 },
  { via: "veriroute/this-router-2", status: 200 },
  { via: "1.1 proxy", status: 200 },
])("via `$via` answers $status", async ({ via, status }) => {
  const answer = await api.send(CHAT, { messages: [{}] }, { headers: { via } });

  expect(answer.status).toBe(status);
});

test.each([
  { sent: "abc.DEF_1-2", same: true },
  { sent: "x".repeat(128), same: true },
  { sent: "x".repeat(129), same: false },
  { sent: "with blank", same: false },
  { sent: "a,b", same: false },
])("x-request-id `$sent` is kept: $same", async ({ sent, same }) => {
  const answer = await api.call("/v1/models", { headers: { "x-request-id": sent } });
  const got = answer.headers.get("x-request-id") ?? "";

  expect(got === sent).toBe(same);
  expect(got).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
});

describe("an unknown route", () => {
  test.each([
    {
      method: "GET",
      path: "/v1/chat/completion",
      status: 404,
      says: "Did you mean `/v1/chat/completions`?",
    },
    {
      method: "POST",
      path: "/chat/completions",
      status: 404,
      says: "Did you mean `/v1/chat/completions`?",
    },
    {
      method: "GET",
      path: "/zzzz/xxxx/qqqq/wwww/kkkk",
      status: 404,
      says: "`GET /swagger` shows what there is.",
    },
    { method: "GET", path: CHAT, status: 405, says: "takes POST, not `GET`.", allow: "POST" },
    {
      method: "PATCH",
      path: "/v1/models",
      status: 405,
      says: "takes GET, HEAD",
      allow: "GET, HEAD",
    },
    { method: "POST", path: "/v1/models/a/b", status: 405, says: "takes GET", allow: "GET, HEAD" },
    {
      method: "PUT",
      path: "/admin/v1/keys/1",
      status: 405,
      says: "takes PATCH, DELETE",
      allow: "PATCH, DELETE",
    },
    {
      method: "GET",
      path: "/v1/routing/explain",
      status: 405,
      says: "prompts do not belong in URLs",
      allow: "POST",
    },
  ])("$method $path is $status", async ({ method, path, status, says, allow = null }) => {
    const answer = await api.call(path, { method });
    const code = status === 404 ? "not_found" : "method_not_allowed";

    expect([answer.status, answer.headers.get("allow")]).toEqual([status, allow]);
    expect(await answer.json()).toMatchObject({
      error: { code, message: expect.stringContaining(says) },
    });
  });
});

test("what nobody expected is a 500 with the request id, reported, and silent about its cause", async () => {
  const boom = Object.assign(new Error(SECRET), { code: "NOT_FOUND", status: 200 });
  api.relay.script.answer = () => Promise.reject(boom);
  const answer = await api.send(CHAT, { messages: [{}] }, { headers: { "x-request-id": "r-1" } });
  const text = await answer.text();
  api.relay.script.answer = () => Response.json({});

  expect(answer.status).toBe(500);
  expect(text).toContain('"code":"internal_error"');
  expect(text).toContain("r-1");
  expect(text).not.toContain("secret");
  expect(text).not.toContain("errors-api.test");
  expect(api.unexpected).toEqual([{ error: boom, request_id: "r-1", method: "POST", path: CHAT }]);
});

test("a database that fails is a 503 of the admin route", async () => {
  const failure = new StoreError("full", "no space left in /var/x");
  await using broken = await startApi({
    storeChanges: { listAudit: () => Promise.reject(failure) },
  });
  const answer = await broken.call("/admin/v1/audit");
  const text = await answer.text();

  expect(answer.status).toBe(503);
  expect(text).toContain('"code":"store_unavailable"');
  expect(text).not.toContain("/var/x");
});

test("a HEAD is answered like its GET, without a body", async () => {
  const answer = await api.call("/health/live", { method: "HEAD" });

  expect([answer.status, await answer.text()]).toEqual([200, ""]);
});

test("a request without its key is refused before its body is looked at", async () => {
  await using keyed = await startApi({ toml: KEYED });
  const ask = (headers: Record<string, string>) =>
    keyed.call(CHAT, { method: "POST", headers, body: "not json" });

  expect([(await ask({})).status, (await ask(bearer(CLIENT_KEY))).status]).toEqual([401, 415]);
  expect(keyed.relay.rejected).toHaveLength(1);
});

test("no answer may be cached or guessed at", async () => {
  const { headers } = await api.call("/v1/models");

  expect([headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
    "no-store",
    "nosniff",
  ]);
});
