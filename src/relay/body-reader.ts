import type { Stop, Watch } from "./watch.ts";

export type Read =
  | { readonly kind: "chunk"; readonly bytes: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "stopped"; readonly stop: Stop }
  | { readonly kind: "broken"; readonly error: unknown };

/** An upstream body, read chunk by chunk under the limits of its attempt. */
export interface BodyReader {
  /** The next chunk. `idle_ms` runs only while we wait here, not while a slow client makes us wait. */
  read(idle_ms: number): Promise<Read>;
  /** Puts a chunk back, to be read again. */
  unread(bytes: Uint8Array): void;
  /** Closes the upstream; safe to call twice. */
  cancel(): void;
}

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
    async read(idle_ms) {
      const bytes = ahead;
      ahead = undefined;
      if (bytes) return { kind: "chunk", bytes };
      watch.arm("idle_timeout", idle_ms);
      const read = await next();
      watch.disarm("idle_timeout");
      return read;
    },
    unread(bytes) {
      ahead = bytes;
    },
    cancel,
  };
}

/** The whole body, or why there is none. `too_large` leaves the rest unread. */
export async function readAll(
  reader: BodyReader,
  { idle_ms, max_bytes }: { readonly idle_ms: number; readonly max_bytes: number },
): Promise<Exclude<Read, { kind: "chunk" | "end" }> | WholeBody | { readonly kind: "too_large" }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const read = await reader.read(idle_ms);
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
