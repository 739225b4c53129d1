import { afterAll, beforeAll, expect, test } from "bun:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import { streamOf } from "../support/scripted-upstream.ts";
import {
  answers,
  CHAT,
  CHAT_STREAM,
  OK,
  openWireRig,
  streams,
  type WireRig,
} from "../support/wire-rig.ts";

let rig: WireRig;
beforeAll(async () => {
  rig = await openWireRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const TEXT =
  '{"choices":[{"index":0,"message":{"role":"assistant","content":"naïve — 한🙂é"},"finish_reason":"stop"}]}';
const STREAM = streamOf("naïve — ", "한🙂é");
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const CONTENT_TYPES = [
  { name: "no charset", type: "text/event-stream" },
  { name: "a wrong charset", type: "text/event-stream; charset=iso-8859-1" },
  { name: "a charset in odd case", type: "Text/Event-Stream;Charset=UTF-8" },
  { name: "blanks around the parameter", type: "text/event-stream ; charset=utf-8" },
];

test.each(CONTENT_TYPES)(
  "a stream with $name is UTF-8, and so labelled for the client",
  async ({ type }) => {
    const { text, response } = await rig.ask(
      streams([STREAM], { "content-type": type }),
      CHAT_STREAM,
    );

    expect(text).toBe(STREAM);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  },
);

test.each([
  { name: "no charset", type: "application/json" },
  { name: "a wrong charset", type: "application/json; charset=iso-8859-1" },
  { name: "odd case", type: "Application/JSON;Charset=Latin1" },
  { name: "another type", type: "text/plain" },
])("an answer with $name is UTF-8", async ({ type }) => {
  const { text } = await rig.ask(answers(TEXT, { "content-type": type }), CHAT);

  expect(text).toStartWith(TEXT.slice(0, -1));
});

const CODINGS = [
  { name: "gzip", header: "gzip", encode: gzipSync },
  { name: "gzip by its old name", header: "x-gzip", encode: gzipSync },
  { name: "gzip in odd case", header: "GZip", encode: gzipSync },
  { name: "brotli", header: "br", encode: brotliCompressSync },
  { name: "zstd", header: "zstd", encode: Bun.zstdCompressSync },
  { name: "deflate", header: "deflate", encode: deflateSync },
  { name: "deflate without its header", header: "deflate", encode: deflateRawSync },
];

test.each(CODINGS)(
  "an answer compressed with $name arrives plain, with no word of it",
  async ({ header, encode }) => {
    const { text, response } = await rig.ask(
      answers(encode(TEXT), { "content-encoding": header }),
      CHAT,
    );

    expect(text).toStartWith(TEXT.slice(0, -1));
    expect(response.headers.get("content-encoding")).toBeNull();
  },
);

test.each(CODINGS)(
  "a stream compressed with $name though nobody asked arrives plain",
  async ({ header, encode }) => {
    const bytes = encode(STREAM);
    const half = bytes.length >> 1;

    const { text, response } = await rig.ask(
      streams([bytes.subarray(0, half), bytes.subarray(half)], { "content-encoding": header }),
      CHAT_STREAM,
    );

    expect(text).toBe(STREAM);
    expect(response.headers.get("content-encoding")).toBeNull();
  },
);

test("the client's own `accept-encoding` is not the upstream's business", async () => {
  const headers = { "accept-encoding": "compress, zstd" };

  const whole = await rig.ask(answers(TEXT), CHAT, { headers });
  const stream = await rig.ask(streams([STREAM]), CHAT_STREAM, { headers });

  expect(whole.sent[0]?.headers.get("accept-encoding")).toBe("gzip, deflate, br, zstd");
  expect(stream.sent[0]?.headers.get("accept-encoding")).toBe("identity");
  expect(stream.response.headers.get("content-encoding")).toBeNull();
});

test.each([
  { name: "a coding nobody knows", header: "lzma" },
  { name: "two codings in a row", header: "gzip, br" },
])(
  "$name is a clean 502 that names it, stream or not, and no byte of it reaches the client",
  async ({ header }) => {
    for (const body of [CHAT, CHAT_STREAM]) {
      await using own = await openWireRig();

      const { text, response } = await own.ask(
        answers(Uint8Array.of(0x5d, 0, 0, 0x80, 0xff), { "content-encoding": header }),
        body,
      );

      expect(response.status).toBe(502);
      expect(JSON.parse(text)).toMatchObject({
        error: { code: "upstream_bad_answer", message: expect.stringContaining(header) },
      });
      expect(await own.router.admin("/v1/routing/health")).toMatchObject({
        targets: expect.arrayContaining([
          expect.objectContaining({ target: "a:m", eligible: false }),
        ]),
      });
    }
  },
);

test.each([
  {
    name: "a stream",
    script: streams([gzipSync(STREAM).subarray(0, 20)], { "content-encoding": "gzip" }),
    body: CHAT_STREAM,
  },
  {
    name: "an answer",
    script: answers(gzipSync(TEXT).subarray(0, 20), { "content-encoding": "gzip" }),
    body: CHAT,
  },
])(
  "$name whose compression breaks off is an error, not half an answer",
  async ({ script, body }) => {
    await using own = await openWireRig();

    const { text, response } = await own.ask(script, body);

    expect(response.status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({
      error: { code: expect.stringMatching(/^upstream_/) },
    });
  },
);

test.each([
  { name: "gzip", header: "gzip", encode: gzipSync },
  { name: "zstd", header: "zstd", encode: Bun.zstdCompressSync },
  { name: "brotli", header: "br", encode: brotliCompressSync },
  { name: "deflate", header: "deflate", encode: deflateSync },
])(
  "a request compressed with $name reaches the upstream plain, byte for byte",
  async ({ header, encode }) => {
    const body =
      '{"stream":false,"model":"a:m","messages":[{"role":"user","content":"naïve 한🙂"}],"x":1.0}';

    const { sent, response } = await rig.ask(
      answers(JSON.stringify(OK)),
      new Uint8Array(encode(body)),
      {
        headers: { "content-encoding": header },
      },
    );

    expect(response.status).toBe(200);
    expect(sent[0]?.headers.get("content-encoding")).toBeNull();
    expect(textOf(sent[0]?.body)).toBe(body.replace("a:m", "m"));
  },
);

test.each([
  {
    name: "an unknown coding",
    header: "foo",
    bytes: new TextEncoder().encode("{}"),
    status: 415,
    says: "foo",
  },
  {
    name: "damaged bytes",
    header: "gzip",
    bytes: Uint8Array.of(1, 2, 3),
    status: 400,
    says: "gzip",
  },
  {
    name: "a body cut short",
    header: "gzip",
    bytes: new Uint8Array(gzipSync("x".repeat(5000)).subarray(0, 12)),
    status: 400,
    says: "gzip",
  },
  {
    name: "a bomb",
    header: "gzip",
    bytes: new Uint8Array(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
    status: 413,
    says: "max_body",
  },
])(
  "$name from a client is refused by name, and the upstream sees nothing",
  async ({ header, bytes, status, says }) => {
    const { text, response, sent } = await rig.ask(answers(TEXT), bytes, {
      headers: { "content-encoding": header },
    });

    expect(response.status).toBe(status);
    expect(JSON.parse(text)).toMatchObject({ error: { message: expect.stringContaining(says) } });
    expect(sent).toEqual([]);
  },
);

test("text that an upstream encoded twice is passed on as it is, and so is text that only looks so", async () => {
  for (const content of ["\u00e4\u00bd\u00a0\u00e5\u00a5\u00bd", "déjà vu, äöü", "Ã"]) {
    const { text } = await rig.ask(streams([streamOf(content)]), CHAT_STREAM);

    expect(text).toBe(streamOf(content));
  }
});
