import type { Fetch } from "./fetch.ts";
import type { Instance } from "./instance.ts";
import { UpstreamError } from "./transport-fault.ts";

export interface Sending {
  readonly fetch: Fetch;
  readonly instance: Instance;
  /** Below the instance's base URL, with its leading slash. */
  readonly path: string;
  /** Sent byte for byte with its length; null makes the call a GET. */
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly headers: Headers;
  /** Ends the call in every phase. There is no other limit: waiting is bounded by the caller. */
  readonly signal: AbortSignal;
  /**
   * Opens a new connection. For a retry after a reset: Bun repeats a GET by itself when a kept
   * connection turns out dead, a POST never, and the pool may hold more connections as dead as that one.
   */
  readonly fresh?: boolean;
}

/**
 * One HTTP call. Resolves with the answer's head, its body still to be read and already being
 * decompressed; a redirect is an answer like any other. Rejects with what `fetch` threw or, for a
 * content encoding nothing here can undo, with an `UpstreamError`; `transportFault` reads both.
 */
export async function send(sending: Sending): Promise<Response> {
  const { fetch, instance, path, body, headers, signal, fresh = false } = sending;
  const response = await fetch(`${instance.base_url}${path}`, {
    method: body === null ? "GET" : "POST",
    headers,
    body: body ?? undefined,
    signal,
    redirect: "manual",
    timeout: false,
    proxy: instance.proxy ?? false,
    keepalive: !fresh,
  });
  const encoding = undecodableEncoding(response.headers);
  if (encoding === undefined) return response;
  // Nobody will read it, and an open body keeps its connection.
  await response.body?.cancel().catch(() => undefined);
  throw new UpstreamError(
    `\`${instance.name}\` answered in the content encoding \`${encoding}\`, which cannot be decoded`,
    { kind: "undecodable_encoding", code: null },
  );
}

const DECODED = new Set(["gzip", "x-gzip", "br", "deflate", "zstd"]);
/** Not encodings, but sent as such; the body is as it should be. */
const PLAIN = new Set(["", "identity", "none", "utf-8", "utf8"]);

/**
 * The content encoding that Bun passes on undecoded: any it does not know, and two in a row, of which
 * it undoes the last and says nothing.
 */
function undecodableEncoding(headers: Headers): string | undefined {
  const header = headers.get("content-encoding");
  if (header === null) return undefined;
  const text = header.trim().toLowerCase();
  const codings = text
    .split(",")
    .map((coding) => coding.trim())
    .filter((c) => !PLAIN.has(c));
  const [first, ...others] = codings;
  if (first === undefined || (others.length === 0 && DECODED.has(first))) return undefined;
  return text.replaceAll(/[^a-z0-9, -]/g, "?").slice(0, 40);
}
