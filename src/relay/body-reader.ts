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
  /** Puts a chunk back, to be read again. */
  putBack(bytes: Uint8Array): void;
  /** Closes the upstream; safe to call twice. */
  cancel(): void;
  /** Lets a body that has said its last word end, so that its connection can serve again. */
  release(): Promise<void>;
}

/** An upstream that has not ended its body so long after its last word is closed. */
const RELEASE_MS = 250;

export function createBodyReader(
  body: ReadableStream<Uint8Array> | null,
  watch: Watch,
): BodyReader {
  const reader = body?.getReader();
  let ahead: Uint8Array | undefined;
  const cancel = () => void reader?.cancel().catch(() => undefined);
  // A body that does not follow the signal by itself ends here.
  watch.signal.addEventListener("abort", cancel, { once: true });

  async function next(): Promise<Read> {
    if (!reader) return { kind: "end" };
    try {
      const { done, value } = await reader.read();
      const stop = watch.stopped();
      if (stop) return { kind: "stopped", stop };
      return done ? { kind: "end" } : { kind: "chunk", bytes: value };
    } catch (error) {
      const stop = watch.stopped();
      return stop ? { kind: "stopped", stop } : { kind: "broken", error };
    }
  }

  return {
    async read(idle_ms = Number.POSITIVE_INFINITY) {
      const bytes = ahead;
      ahead = undefined;
      if (bytes) return { kind: "chunk", bytes };
      watch.arm("idle_timeout", idle_ms);
      const read = await next();
      watch.disarm("idle_timeout");
      return read;
    },
    putBack(bytes) {
      ahead = bytes;
    },
    cancel,
    async release() {
      const timer = setTimeout(cancel, RELEASE_MS);
      const read = await next();
      clearTimeout(timer);
      if (read.kind === "chunk") cancel();
    },
  };
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
    if (read.kind === "end") return { kind: "whole", bytes: Buffer.concat(pieces) };
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
