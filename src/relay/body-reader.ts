import { joinViews } from "../protocol/json/edit.ts";
import type { Stop, Watch } from "./watch.ts";

export type Read =
  | { readonly kind: "chunk"; readonly bytes: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "stopped"; readonly stop: Stop }
  | { readonly kind: "broken"; readonly error: unknown };

/** An upstream body, read chunk by chunk under the limits of its attempt. */
export interface BodyReader {
  /** The next chunk. `idle_ms` runs only while we wait here, not while a slow client makes us wait. */
  read(idle_ms?: number): Promise<Read>;
  /** The next chunk, or `late` if it is not there within `ms`; it then comes with the next call. */
  readWithin(ms: number): Promise<Read | typeof LATE>;
  /** Puts a chunk back, to be read again. */
  putBack(bytes: Uint8Array): void;
  /** Closes the upstream; safe to call twice. */
  cancel(): void;
  /** Lets a body that has said its last word end, so that its connection can serve again. */
  release(): Promise<void>;
}

const LATE = { kind: "late" } as const;

/** An upstream that has not ended its body so long after its last word is closed. */
const RELEASE_MS = 250;

export function createBodyReader(
  body: ReadableStream<Uint8Array> | null,
  watch: Watch,
): BodyReader {
  const reader = body?.getReader();
  const chunks = createChunks(reader && (() => reader.read()), watch);
  const cancel = () => void reader?.cancel().catch(() => undefined);
  // A body that does not follow the signal by itself ends here.
  watch.onStop(cancel);

  return {
    async read(idle_ms) {
      if (idle_ms === undefined) return chunks.next();
      watch.arm("idle_timeout", idle_ms);
      const read = await chunks.next();
      watch.disarm("idle_timeout");
      return read;
    },
    readWithin: (ms) => within(chunks, ms),
    putBack: chunks.putBack,
    cancel,
    async release() {
      const timer = setTimeout(cancel, RELEASE_MS);
      const read = await chunks.next();
      clearTimeout(timer);
      if (read.kind === "chunk") cancel();
    },
  };
}

/** A body's chunks, one at a time. */
interface Chunks {
  readonly next: () => Promise<Read>;
  /** What comes next, without taking it. */
  readonly peek: () => Promise<Read>;
  readonly putBack: (bytes: Uint8Array) => void;
}

interface SourceRead {
  /** Undefined at the end. */
  readonly value?: Uint8Array | undefined;
}

function createChunks(source: (() => Promise<SourceRead>) | undefined, watch: Watch): Chunks {
  let ahead: Promise<Read> | undefined;

  async function readChunk(): Promise<Read> {
    if (!source) return { kind: "end" };
    try {
      const { value } = await source();
      const stop = watch.stopped();
      if (stop) return { kind: "stopped", stop };
      return value ? { kind: "chunk", bytes: value } : { kind: "end" };
    } catch (error) {
      const stop = watch.stopped();
      return stop ? { kind: "stopped", stop } : { kind: "broken", error };
    }
  }

  const peek = () => (ahead ??= readChunk());
  return {
    peek,
    next() {
      const read = peek();
      ahead = undefined;
      return read;
    },
    putBack(bytes) {
      ahead = Promise.resolve({ kind: "chunk", bytes });
    },
  };
}

async function within(chunks: Chunks, ms: number): Promise<Read | typeof LATE> {
  const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => resolve(LATE), ms);
  const read = await Promise.race([chunks.peek(), late]);
  clearTimeout(timer);
  return read.kind === "late" ? read : chunks.next();
}

/** The whole body, or why there is none. `too_large` leaves the rest unread. */
export async function readAll(
  reader: BodyReader,
  max_bytes: number,
): Promise<Exclude<Read, { kind: "chunk" | "end" }> | WholeBody | { readonly kind: "too_large" }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const read = await reader.read();
    if (read.kind === "end") return { kind: "whole", bytes: joinViews(pieces) };
    if (read.kind !== "chunk") return read;
    size += read.bytes.length;
    if (size > max_bytes) {
      reader.cancel();
      return { kind: "too_large" };
    }
    pieces.push(read.bytes);
  }
}

interface WholeBody {
  readonly kind: "whole";
  readonly bytes: Uint8Array;
}

/** Error bodies are read up to here; the rest says nothing more. */
const MAX_ERROR_BYTES = 256 * 1024;
/** What an error is, its status says; its body may not keep a request waiting. */
const ERROR_BODY_MS = 5000;

/** What of an error's body arrives soon, be it all, a part or nothing. */
export async function readErrorBody(reader: BodyReader): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const timer = setTimeout(() => reader.cancel(), ERROR_BODY_MS);
  for (;;) {
    const read = await reader.read();
    if (read.kind !== "chunk") break;
    pieces.push(read.bytes);
    size += read.bytes.length;
    if (size < MAX_ERROR_BYTES) continue;
    reader.cancel();
    break;
  }
  clearTimeout(timer);
  return new TextDecoder().decode(Buffer.concat(pieces));
}
