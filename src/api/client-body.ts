import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from "node:zlib";

import type { Refusal } from "./refusal.ts";
import { quoted } from "./refusal.ts";

export type Bytes = Uint8Array<ArrayBuffer>;

export type BodyResult =
  | { readonly kind: "bytes"; readonly bytes: Bytes }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The client left while sending. */
  | { readonly kind: "gone" }
  /** Given up before it was whole, as `Upload` says. */
  | { readonly kind: "stopped"; readonly by: "silence" | "router" };

export interface BodyLimit {
  readonly bytes: number;
  /** How messages name the limit, such as "`server.max_body` (32MiB)". */
  readonly name: string;
  /** If left out, the server's own idle limit is the only one. */
  readonly upload?: Upload;
}

/**
 * For how long a body is waited for. The server's idle limit cannot say: it counts a client that sends
 * less than 16 kB a second as idle, and closes without a word.
 */
export interface Upload {
  /** How long a client may send nothing. */
  readonly silence_ms: number;
  /** Calls back when the router waits no longer. */
  readonly onStop: (listener: () => void) => void;
}

/** The bytes of a JSON body, decompressed, never more than the limit; not yet parsed. */
export async function readBody(request: Request, limit: BodyLimit): Promise<BodyResult> {
  const problem = contentTypeProblem(request.headers.get("content-type"));
  if (problem) return refused("unsupported_media_type", problem);
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  const decode = DECODERS.get(encoding);
  if (!decode) {
    return refused(
      "unsupported_encoding",
      `\`content-encoding: ${encoding.slice(0, 100)}\` is not supported; use one of ` +
        `${[...DECODERS.keys()].join(", ")}.`,
    );
  }
  const raw = await readCapped(request, limit);
  if (raw.kind !== "bytes" || encoding === "identity") return raw;
  return decompress(raw.bytes, { encoding, decode, limit });
}

function refused(code: Refusal["code"], message: string): BodyResult {
  return { kind: "refused", refusal: { code, message } };
}

function tooLarge(limit: BodyLimit): BodyResult {
  return refused("body_too_large", `The request body is larger than ${limit.name}.`);
}

/** A simple form post from any web page has another type, so this also stops cross-site writes. */
export function contentTypeProblem(header: string | null): string | null {
  if (header === "application/json") return null;
  const fix = "send `content-type: application/json`.";
  if (header === null) return `The request has no content type; ${fix}`;
  const [essence = "", ...parameters] = header.toLowerCase().split(";");
  const type = essence.trim();
  if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type)) {
    return `The content type ${quoted(type)} is not JSON; ${fix}`;
  }
  const charset = parameters.find((parameter) => parameter.trim().startsWith("charset="));
  const name = charset?.split("=")[1]?.trim().replaceAll('"', "") ?? "utf-8";
  if (name === "utf-8" || name === "utf8" || name === "us-ascii") return null;
  return `The charset ${quoted(name)} is not supported; JSON is UTF-8.`;
}

/** Checks the announced size, then what arrives: a chunked body announces none. */
async function readCapped(request: Request, limit: BodyLimit): Promise<BodyResult> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) > limit.bytes) return tooLarge(limit);
  try {
    const { upload } = limit;
    if (upload !== undefined) return await readUpload(request, limit, upload);
    return await (announced === null ? readChunks(request, limit) : readWhole(request));
  } catch (error) {
    if (request.signal.aborted) return { kind: "gone" };
    throw error;
  }
}

/** Announced bodies up to here are read in one go, which costs less but shows no progress. */
const READ_WHOLE_BYTES = 64 * 1024;

async function readUpload(
  request: Request,
  limit: BodyLimit,
  { silence_ms, onStop }: Upload,
): Promise<BodyResult> {
  const { promise: stopped, resolve } = Promise.withResolvers<BodyResult>();
  onStop(() => resolve({ kind: "stopped", by: "router" }));
  const announced = request.headers.get("content-length");
  const isSmall = announced !== null && Number(announced) <= READ_WHOLE_BYTES;
  const give = () => resolve({ kind: "stopped", by: "silence" });
  const timer = setTimeout(give, isSmall ? 2 * silence_ms : silence_ms);
  const read = isSmall ? readWhole(request) : readChunks(request, limit, () => timer.refresh());
  try {
    // What is left of a reading that lost ends with the answer.
    return await Promise.race([read, stopped]);
  } finally {
    clearTimeout(timer);
  }
}

async function readWhole(request: Request): Promise<BodyResult> {
  return { kind: "bytes", bytes: new Uint8Array(await request.arrayBuffer()) };
}

async function readChunks(
  request: Request,
  limit: BodyLimit,
  onChunk?: () => void,
): Promise<BodyResult> {
  const chunks: Bytes[] = [];
  let total = 0;
  for await (const chunk of request.body ?? []) {
    onChunk?.();
    total += chunk.length;
    if (total > limit.bytes) return tooLarge(limit);
    chunks.push(chunk);
  }
  const { buffer, byteOffset, length } = Buffer.concat(chunks);
  return { kind: "bytes", bytes: new Uint8Array(buffer, byteOffset, length) };
}

type Decoder = (bytes: Bytes, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const inflateZlib = promisify(inflate);
const inflateBare = promisify(inflateRaw);

/** `deflate` means zlib, but some clients send it without the two header bytes. */
const inflateEither: Decoder = (bytes, options) => {
  const [first = 0, second = 0] = bytes;
  const hasHeader = (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
  return hasHeader ? inflateZlib(bytes, options) : inflateBare(bytes, options);
};

/** All stop as soon as the output exceeds `maxOutputLength`, so a small bomb costs no memory. */
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ["identity", async (bytes: Bytes) => bytes],
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", inflateEither],
  ["br", promisify(brotliDecompress)],
  ["zstd", promisify(zstdDecompress)],
]);

interface Decoding {
  readonly encoding: string;
  readonly decode: Decoder;
  readonly limit: BodyLimit;
}

async function decompress(
  bytes: Bytes,
  { encoding, decode, limit }: Decoding,
): Promise<BodyResult> {
  try {
    const decoded = await decode(bytes, { maxOutputLength: limit.bytes });
    return { kind: "bytes", bytes: new Uint8Array(decoded) };
  } catch (error) {
    if (isTooLarge(error)) return tooLarge(limit);
    return refused(
      "invalid_body_encoding",
      `The body is not what \`content-encoding: ${encoding}\` promises: it is damaged or cut.`,
    );
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
}
