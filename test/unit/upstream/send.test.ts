import { expect, test } from "bun:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import type { TransportFault } from "../../../src/protocol/transport-fault.ts";
import type { Fetch } from "../../../src/upstream/fetch.ts";
import { send, type Sending } from "../../../src/upstream/send.ts";
import { transportFault, UpstreamError } from "../../../src/upstream/transport-fault.ts";
import { OK, rawServer, type Script } from "./raw-server.ts";
import { sampleInstance } from "./samples.ts";

const BODY = new Uint8Array(Buffer.from('{"n":9007199254740993,"n":1.0}'));
const never = () => new AbortController().signal;

function call(base_url: string, parts: Partial<Sending> = {}): Promise<Response> {
  return send({
    fetch,
    instance: sampleInstance({ base_url }),
    path: "/chat/completions",
    body: BODY,
    headers: new Headers({ "content-type": "application/json" }),
    signal: never(),
    ...parts,
  });
}

interface Outcome {
  readonly status?: number;
  readonly body?: string;
  readonly bodyFault?: TransportFault;
  readonly fault?: TransportFault;
}

/** How a call ends when `script` answers it: text of the answer, or the fault of head or body. */
async function outcome(script: Script, parts: Partial<Sending> = {}): Promise<Outcome> {
  using server = rawServer(script);
  try {
    const response = await call(server.url, parts);
    return { status: response.status, ...(await bodyOf(response)) };
  } catch (error) {
    return { fault: transportFault(error) };
  }
}

async function bodyOf(response: Response) {
  try {
    return { body: await response.text() };
  } catch (error) {
    return { bodyFault: transportFault(error) };
  }
}

test("the body goes out byte for byte with its length", async () => {
  let seen = "";

  await outcome((socket, { text }) => {
    seen = text;
    socket.write(OK);
  });

  const [head = "", body] = seen.split("\r\n\r\n");
  expect(head.split("\r\n")[0]).toBe("POST /chat/completions HTTP/1.1");
  expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${BODY.length}`);
  expect(head.toLowerCase()).not.toContain("transfer-encoding");
  expect(body).toBe('{"n":9007199254740993,"n":1.0}');
});

test.each<{ proxy?: string; wants: string | false }>([
  { wants: false },
  { proxy: "http://proxy:3128/", wants: "http://proxy:3128/" },
])(
  "with proxy $proxy fetch gets $wants, no time limit and no redirects",
  async ({ proxy, wants }) => {
    let given: unknown;
    const scripted: Fetch = (_url, { proxy: via, redirect, timeout }) => {
      given = { proxy: via, redirect, timeout };
      return Promise.resolve(new Response("ok"));
    };
    const instance = sampleInstance(proxy === undefined ? {} : { proxy });

    await call("", { fetch: scripted, instance });

    expect(given).toEqual({ proxy: wants, redirect: "manual", timeout: false });
  },
);

const TEXT = JSON.stringify({ answer: "grüße ".repeat(40) });

test.each<{ encoding: string; body: Uint8Array<ArrayBuffer> | string }>([
  { encoding: "gzip", body: new Uint8Array(gzipSync(TEXT)) },
  { encoding: "x-gzip", body: new Uint8Array(gzipSync(TEXT)) },
  { encoding: "GZIP", body: new Uint8Array(gzipSync(TEXT)) },
  { encoding: "gzip, identity", body: new Uint8Array(gzipSync(TEXT)) },
  { encoding: "br", body: new Uint8Array(brotliCompressSync(TEXT)) },
  { encoding: "zstd", body: new Uint8Array(Bun.zstdCompressSync(TEXT)) },
  { encoding: "deflate", body: new Uint8Array(deflateSync(TEXT)) },
  { encoding: "identity", body: TEXT },
  { encoding: "utf-8", body: TEXT },
])("an answer in $encoding is decoded", async ({ encoding, body }) => {
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(body, { headers: { "content-encoding": encoding } }),
  });

  const response = await call(server.url.origin);

  expect(await response.text()).toBe(TEXT);
});

test.each<{ encoding: string; named: string }>([
  { encoding: "compress", named: "compress" },
  { encoding: "lz4", named: "lz4" },
  { encoding: "gzip, gzip", named: "gzip, gzip" },
  { encoding: "gzip,br", named: "gzip,br" },
  { encoding: "<script>", named: "?script?" },
])("an answer in `$encoding` is a failure that names it", async ({ encoding, named }) => {
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("\u0001\u0002", { headers: { "content-encoding": encoding } }),
  });

  const error = await call(server.url.origin).catch((thrown: unknown) => thrown);

  expect(error).toEqual(
    new UpstreamError(
      `\`acme\` answered in the content encoding \`${named}\`, which cannot be decoded`,
      { kind: "undecodable_encoding", code: null },
    ),
  );
  expect(transportFault(error)).toEqual({ kind: "undecodable_encoding", code: null });
});

test.each<{ what: string; script: Script; wants: Outcome }>([
  {
    what: "a closed connection before any answer",
    script: (socket) => socket.end(),
    wants: { fault: { kind: "reset", code: "ECONNRESET" } },
  },
  {
    what: "a reset before any answer",
    script: (socket) => socket.terminate(),
    wants: { fault: { kind: "reset", code: "ECONNRESET" } },
  },
  {
    what: "a status line that is none",
    script: (socket) => socket.write("HELLO THIS IS NOT HTTP\r\n\r\n"),
    wants: { fault: { kind: "bad_answer", code: "Malformed_HTTP_Response" } },
  },
  {
    what: "headers without an end",
    script: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-le");
      socket.end();
    },
    wants: { fault: { kind: "reset", code: "ECONNRESET" } },
  },
  {
    what: "chunks without the last one",
    script: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n");
      socket.end();
    },
    wants: { status: 200, bodyFault: { kind: "reset", code: "ECONNRESET" } },
  },
  {
    what: "fewer bytes than announced",
    script: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhello");
      socket.end();
    },
    wants: { status: 200, bodyFault: { kind: "reset", code: "ECONNRESET" } },
  },
  {
    what: "a body ended by closing",
    script: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\nhello");
      socket.end();
    },
    wants: { status: 200, body: "hello" },
  },
  {
    what: "a body that is not in its encoding",
    script: (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 5\r\n\r\nhello");
    },
    wants: {
      status: 200,
      bodyFault: { kind: "undecodable_encoding", code: "BrotliDecompressionError" },
    },
  },
  {
    what: "a redirect",
    script: (socket) => {
      socket.write(
        "HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n",
      );
    },
    wants: { status: 307, body: "" },
  },
])("what came is told apart: $what", async ({ script, wants }) => {
  expect(await outcome(script)).toEqual(wants);
});

test("a port nobody listens on is refused", async () => {
  const listener = rawServer(() => undefined);
  listener[Symbol.dispose]();

  const error = await call(listener.url).catch((thrown: unknown) => thrown);

  expect(transportFault(error)).toEqual({ kind: "refused", code: "ECONNREFUSED" });
});

test("aborting ends a call that no header has answered", async () => {
  const leaving = new AbortController();

  const ended = await outcome(() => leaving.abort(), { signal: leaving.signal });

  expect(ended).toEqual({ fault: { kind: "abort", code: null } });
});

test("a POST on a dead kept connection fails, a fresh one goes past all others in the pool", async () => {
  // Both pooled connections die at their second use.
  const waiting: { write(text: string): unknown }[] = [];
  using server = rawServer((socket, { n, connection }) => {
    if (connection > 2) socket.write(OK);
    else if (n > 2) socket.terminate();
    else waiting.push(socket);
    if (n === 2) for (const held of waiting) held.write(OK);
  });
  const warm = await Promise.all([call(server.url), call(server.url)]);
  for (const response of warm) await response.text();

  const reused = await call(server.url).catch((thrown: unknown) => transportFault(thrown));
  const fresh = await call(server.url, { fresh: true });

  expect(reused).toEqual({ kind: "reset", code: "ECONNRESET" });
  expect(await fresh.text()).toBe("ok");
  expect(server.connections()).toBe(3);
});
