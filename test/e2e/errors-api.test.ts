import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import { startApi } from "../support/api-server.ts";

const SECRET = "my secret prompt";
const api = await startApi({ toml: '[server]\nmax_body = "64KiB"\n' });
afterAll(() => api[Symbol.asyncDispose]());
beforeEach(() => {
  api.relay.handled.length = 0;
  api.relay.rejected.length = 0;
});

const CHAT = "/v1/chat/completions";
const JSON_TYPE = { "content-type": "application/json" };
const GOOD = JSON.stringify({ model: "auto", messages: [{ role: "user", content: "hi" }] });

interface BodyCase {
  readonly name: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  readonly path?: string;
  readonly status: number;
  readonly code: string;
  readonly param?: string | null;
  readonly says: string;
}

const packed = (buffer: Uint8Array) => new Uint8Array(buffer);
const bytes = (text: string) => packed(new TextEncoder().encode(text));
const chat = (fields: object) => JSON.stringify({ messages: [{}], ...fields });

const CASES: readonly BodyCase[] = [
  {
    name: "no content type",
    body: bytes(GOOD),
    headers: {},
    status: 415,
    code: "unsupported_media_type",
    says: "The request has no content type; send `content-type: application/json`.",
  },
  ...["text/plain", "application/x-www-form-urlencoded", "application/json, text/plain"].map(
    (type) => ({
      name: type,
      body: GOOD,
      headers: { "content-type": type },
      status: 415,
      code: "unsupported_media_type",
      says: "is not JSON; send `content-type: application/json`.",
    }),
  ),
  {
    name: "another charset",
    body: GOOD,
    headers: { "content-type": "application/json; charset=iso-8859-1" },
    status: 415,
    code: "unsupported_media_type",
    says: "The charset `iso-8859-1` is not supported; JSON is UTF-8.",
  },
  ...["foo", "gzip, gzip", "constructor"].map((encoding) => ({
    name: `content-encoding ${encoding}`,
    body: GOOD,
    headers: { ...JSON_TYPE, "content-encoding": encoding },
    status: 415,
    code: "unsupported_encoding",
    says: `\`content-encoding: ${encoding}\` is not supported; use one of identity, gzip,`,
  })),
  ...["gzip", "deflate", "br", "zstd"].map((encoding) => ({
    name: `damaged ${encoding}`,
    body: GOOD,
    headers: { ...JSON_TYPE, "content-encoding": encoding },
    status: 400,
    code: "invalid_body_encoding",
    says: `not what \`content-encoding: ${encoding}\` promises`,
  })),
  {
    name: "cut gzip",
    body: packed(gzipSync(GOOD).subarray(0, -12)),
    headers: { ...JSON_TYPE, "content-encoding": "gzip" },
    status: 400,
    code: "invalid_body_encoding",
    says: "damaged or cut",
  },
  {
    name: "no body",
    body: "",
    status: 400,
    code: "invalid_json",
    says: "The request has no body; send a JSON object.",
  },
  {
    name: "broken JSON",
    body: `{"model":"auto",\n  "messages": [{"content": ${SECRET}}]}`,
    status: 400,
    code: "invalid_json",
    says: "The body is not valid JSON: it breaks at line 2, column 28.",
  },
  {
    name: "bytes that are not UTF-8",
    body: Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    status: 400,
    code: "invalid_json",
    says: "The body is not valid UTF-8.",
  },
  ...["[]", "null", '"text"', "1"].map((body) => ({
    name: body,
    body,
    status: 400,
    code: "invalid_json",
    says: "The body must be a JSON object.",
  })),
  {
    name: "no messages",
    body: JSON.stringify({ model: SECRET }),
    status: 400,
    code: "invalid_request",
    param: "messages",
    says: "`messages` is missing: it must be a list of at least one message.",
  },
  {
    name: "empty messages",
    body: chat({ messages: [] }),
    status: 400,
    code: "invalid_request",
    param: "messages",
    says: "`messages` does not fit: it must be a list of at least one message.",
  },
  {
    name: "a message that is a text",
    body: chat({ messages: [{}, SECRET] }),
    status: 400,
    code: "invalid_request",
    param: "messages[1]",
    says: "`messages[1]` does not fit: each message must be an object with `role`.",
  },
  {
    name: "a number as model",
    body: chat({ model: 1 }),
    status: 400,
    code: "invalid_request",
    param: "model",
    says: "`model` does not fit: it must be a string such as `auto`",
  },
  {
    name: "a text as stream",
    body: chat({ stream: SECRET }),
    status: 400,
    code: "invalid_request",
    param: "stream",
    says: "`stream` does not fit: it must be true or false.",
  },
  {
    name: "no prompt",
    path: "/v1/completions",
    body: "{}",
    status: 400,
    code: "invalid_request",
    param: "prompt",
    says: "`prompt` is missing: it must be a text or a list",
  },
  {
    name: "no input",
    path: "/v1/embeddings",
    body: '{"input":[]}',
    status: 400,
    code: "invalid_request",
    param: "input",
    says: "`input` does not fit: it must be a text or a list",
  },
  {
    name: "a body over the limit",
    body: chat({ padding: "x".repeat(64 * 1024) }),
    status: 413,
    code: "body_too_large",
    says: "The request body is larger than `server.max_body` (64KiB).",
  },
  ...[
    { encoding: "gzip", bomb: gzipSync(Buffer.alloc(50_000_000)) },
    { encoding: "deflate", bomb: deflateSync(Buffer.alloc(50_000_000)) },
    { encoding: "br", bomb: brotliCompressSync(Buffer.alloc(5_000_000)) },
    { encoding: "zstd", bomb: Bun.zstdCompressSync(Buffer.alloc(500_000_000)) },
  ].map(({ encoding, bomb }) => ({
    name: `a ${encoding} bomb`,
    body: packed(bomb),
    headers: { ...JSON_TYPE, "content-encoding": encoding },
    status: 413,
    code: "body_too_large",
    says: "The request body is larger than `server.max_body` (64KiB).",
  })),
];

describe("a refused body", () => {
  test.each(CASES)("$name is $status $code", async (given) => {
    const { body, headers = JSON_TYPE, path = CHAT, status, code, param = null, says } = given;
    const answer = await api.call(path, { method: "POST", headers, body });
    const text = await answer.text();

    expect([answer.status, JSON.parse(text)]).toEqual([
      status,
      {
        error: {
          code,
          message: expect.stringContaining(says),
          type: "invalid_request_error",
          param,
        },
      },
    ]);
    expect(text).not.toContain("secret");
    expect(answer.headers.get("x-veriroute-decision")).toBe("rejected-1");
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(api.relay.handled).toEqual([]);
    expect(api.relay.rejected).toMatchObject([{ code, status }]);
  });
});

describe("an accepted body", () => {
  test.each([
    { name: "identity", encoding: "identity", body: bytes(GOOD) },
    { name: "gzip", encoding: "gzip", body: packed(gzipSync(GOOD)) },
    { name: "x-gzip in capitals", encoding: "X-GZIP", body: packed(gzipSync(GOOD)) },
    { name: "deflate", encoding: "deflate", body: packed(deflateSync(GOOD)) },
    { name: "deflate without header", encoding: "deflate", body: packed(deflateRawSync(GOOD)) },
    { name: "br", encoding: "br", body: packed(brotliCompressSync(GOOD)) },
    { name: "zstd", encoding: "zstd", body: packed(Bun.zstdCompressSync(GOOD)) },
    { name: "with a BOM", encoding: "identity", body: bytes(`\ufeff${GOOD}`) },
  ])("$name reaches the relay as the bytes inside", async ({ encoding, body }) => {
    const headers = { ...JSON_TYPE, "content-encoding": encoding };
    const answer = await api.call(CHAT, { method: "POST", headers, body });

    expect(answer.status).toBe(200);
    expect(api.relay.handled.map((one) => Buffer.from(one.body).toString())).toEqual([GOOD]);
  });

  test.each([
    "application/json; charset=UTF-8",
    'APPLICATION/JSON;charset="utf-8"',
    "application/vnd.api+json",
  ])("of type %s is read", async (type) => {
    const answer = await api.call(CHAT, {
      method: "POST",
      headers: { "content-type": type },
      body: GOOD,
    });
    expect(answer.status).toBe(200);
  });

  test("arrives byte for byte, unknown fields, number spellings and duplicate keys included", async () => {
    const odd = '{ "messages":[{}],"n":9007199254740993,"t":1.0,"t":1.0,"x":"\\u00e9" }';
    await api.call(CHAT, { method: "POST", headers: JSON_TYPE, body: odd });

    expect(api.relay.handled.map((one) => Buffer.from(one.body).toString())).toEqual([odd]);
  });

  test("may come in chunks without an announced length, up to the limit", async () => {
    const statuses = [50_000, 70_000].map(async (size) => {
      const body = chunked(chat({ padding: "x".repeat(size) }));
      return (await api.call(CHAT, { method: "POST", headers: JSON_TYPE, body })).status;
    });

    expect(await Promise.all(statuses)).toEqual([200, 413]);
  });

  test.each([
    { path: CHAT, body: { messages: [{}], stream: true }, dialect: "chat" },
    { path: CHAT, body: { messages: [{}], stream: null }, dialect: "chat" },
    { path: "/v1/completions", body: { prompt: "" }, dialect: "completions" },
    { path: "/v1/completions", body: { prompt: [1, 2] }, dialect: "completions" },
    { path: "/v1/embeddings", body: { input: [[1, 2]] }, dialect: "embeddings" },
  ])("$body on $path goes on as $dialect", async ({ path, body, dialect }) => {
    const answer = await api.send(path, body, { headers: { "x-request-id": "mine" } });

    expect(answer.headers.get("x-veriroute-decision")).toBe("relayed");
    expect(api.relay.handled).toMatchObject([
      { dialect, parsed: body, request_id: "mine", debug: false },
    ]);
  });
});

function chunked(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const all = bytes(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= all.length) return controller.close();
      controller.enqueue(all.slice(at, (at += 10_000)));
    },
  });
}

test("a zip bomb costs no memory", async () => {
  const bomb = packed(Bun.zstdCompressSync(Buffer.alloc(500_000_000)));
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const headers = { ...JSON_TYPE, "content-encoding": "zstd" };
  for (let n = 0; n < 5; n++) await api.call(CHAT, { method: "POST", headers, body: bomb });

  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
});
