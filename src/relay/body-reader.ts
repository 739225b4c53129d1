import { joinViews } from "../protocol/json/edit.ts";
import type { Stop, Watch } from "./watch.ts";

export type Read =
  | { readonly kind: "chunk"; readonly bytes: Uint8Array }
  | { readonly kind: "end" }
  | { readonly kind: "stopped"; readonly stop: Stop }
  | { readonly kind: "broken"; readonly error: unknown };

/** An upstream body, read under the limits of its attempt. */
export interface BodyReader {
  /** The next chunk. `idle_ms` runs only while we wait here, not while a slow client makes us wait. */
  read(idle_ms?: number): Promise<Read>;
  /** The next chunk, or `late` if it is not there within `ms`; it then comes with the next call. */
  readWithin(ms: number): Promise<Read | typeof LATE>;
  /** All that is left, or why it is not to be had. `too_large` leaves the rest unread. */
  readAll(max_bytes: number): Promise<Exclude<Read, { kind: "chunk" | "end" }> | Whole>;
  /** Puts a chunk back, to be read again. */
  putBack(bytes: Uint8Array): void;
  /** Closes the upstream; safe to call twice. */
  cancel(): void;
  /** Lets a body that has said its last word end, so that its connection can serve again. */
  release(): Promise<void>;
}

type Whole =
  { readonly kind: "whole"; readonly bytes: Uint8Array } | { readonly kind: "too_large" };

const LATE = { kind: "late" } as const;

/** An upstream that has not ended its body so long after its last word is closed. */
const RELEASE_MS = 250;

export function createBodyReader(response: Response, watch: Watch): BodyReader {
  return new UpstreamBody(response, watch);
}

type ChunkSource = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

class UpstreamBody implements BodyReader {
  readonly #response: Response;
  readonly #watch: Watch;
  /** Undefined until the first chunk is asked for: a body that is read whole needs none. */
  #source: ChunkSource | null | undefined;
  /** What comes next, if it was asked for or put back. */
  #ahead: Promise<Read> | undefined;

  constructor(response: Response, watch: Watch) {
    this.#response = response;
    this.#watch = watch;
  }

  /** One promise for each chunk: whoever awaits this one pays for every layer. */
  async read(idle_ms?: number): Promise<Read> {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    if (idle_ms !== undefined) this.#watch.arm("idle_timeout", idle_ms);
    try {
      return ahead ? await ahead : this.#shown(await this.#open()?.read());
    } catch (error) {
      return this.#broken(error);
    } finally {
      if (idle_ms !== undefined) this.#watch.disarm("idle_timeout");
    }
  }

  async readWithin(ms: number): Promise<Read | typeof LATE> {
    const { promise: late, resolve } = Promise.withResolvers<typeof LATE>();
    const timer = setTimeout(() => resolve(LATE), ms);
    const read = await Promise.race([this.#peek(), late]);
    clearTimeout(timer);
    return read.kind === "late" ? read : this.read();
  }

  async readAll(max_bytes: number): Promise<Exclude<Read, { kind: "chunk" | "end" }> | Whole> {
    if (this.#source === undefined && isAnnounced(this.#response.headers, max_bytes)) {
      return this.#readAtOnce();
    }
    const pieces: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const read = await this.read();
      if (read.kind === "end") return { kind: "whole", bytes: joinViews(pieces) };
      if (read.kind !== "chunk") return read;
      size += read.bytes.length;
      if (size > max_bytes) {
        this.cancel();
        return { kind: "too_large" };
      }
      pieces.push(read.bytes);
    }
  }

  putBack(bytes: Uint8Array): void {
    this.#ahead = Promise.resolve({ kind: "chunk", bytes });
  }

  cancel(): void {
    const closing = this.#source === undefined ? this.#response.body : this.#source;
    closing?.cancel().catch(() => undefined);
  }

  async release(): Promise<void> {
    const timer = setTimeout(() => this.cancel(), RELEASE_MS);
    const read = await this.read();
    clearTimeout(timer);
    if (read.kind === "chunk") this.cancel();
  }

  /** What the next read gives; it is read no further ahead. */
  #peek(): Promise<Read> {
    return (this.#ahead ??= this.read());
  }

  #shown(given: { readonly value?: Uint8Array | undefined } | undefined): Read {
    const stop = this.#watch.stopped();
    if (stop) return { kind: "stopped", stop };
    return given?.value ? { kind: "chunk", bytes: given.value } : { kind: "end" };
  }

  #open(): ChunkSource | null {
    if (this.#source !== undefined) return this.#source;
    const source = this.#response.body?.getReader() ?? null;
    this.#source = source;
    // A body that does not follow the signal by itself ends here.
    this.#watch.onStop(() => this.cancel());
    return source;
  }

  /** One promise in place of a stream with several. */
  async #readAtOnce(): Promise<Exclude<Read, { kind: "chunk" | "end" }> | Whole> {
    try {
      const bytes = new Uint8Array(await this.#response.arrayBuffer());
      const stop = this.#watch.stopped();
      return stop ? { kind: "stopped", stop } : { kind: "whole", bytes };
    } catch (error) {
      return this.#broken(error);
    }
  }

  #broken(error: unknown): Extract<Read, { kind: "stopped" | "broken" }> {
    const stop = this.#watch.stopped();
    return stop ? { kind: "stopped", stop } : { kind: "broken", error };
  }
}

/** Whether a body tells its true size in advance, and it is no larger than that. */
function isAnnounced(headers: Headers, max_bytes: number): boolean {
  const length = headers.get("content-length");
  if (length === null || !(Number(length) <= max_bytes)) return false;
  // In chunks, or once it is decoded, it may be of any size.
  return !headers.has("transfer-encoding") && !headers.has("content-encoding");
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
