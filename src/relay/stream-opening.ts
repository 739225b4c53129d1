import { joinBytes } from "../protocol/json/edit.ts";
import { type BodyReader } from "./body-reader.ts";
import type { Consumed, Consumer, StreamEnd } from "./stream-consumer.ts";

/** The preamble of a stream is held back up to here; more without content is a malformed answer. */
const MAX_HELD_BYTES = 256 * 1024;

/** A stream up to its first content, or to an end without any. */
export type Opening =
  | { readonly kind: "content"; readonly held: Uint8Array; readonly end: StreamEnd | null }
  | { readonly kind: "ended"; readonly held: Uint8Array; readonly end: StreamEnd }
  | { readonly kind: "preamble_too_long" };

/**
 * Reads a stream until its first content-bearing delta; the client has seen nothing until then.
 * Silence is no matter here: the limit to the first content bounds it.
 */
export async function openStream(reader: BodyReader, consumer: Consumer): Promise<Opening> {
  const held: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const consumed = await consumeNext(reader, consumer);
    held.push(consumed.out);
    size += consumed.out.length;
    if (consumed.is_content) return { kind: "content", held: joinBytes(held), end: consumed.end };
    if (consumed.end) return { kind: "ended", held: joinBytes(held), end: consumed.end };
    if (size > MAX_HELD_BYTES) return { kind: "preamble_too_long" };
  }
}

/** The next stretch of a stream, its end included. */
export async function consumeNext(
  reader: BodyReader,
  consumer: Consumer,
  idle_ms?: number,
): Promise<Consumed> {
  const read = await reader.read(idle_ms);
  if (read.kind === "chunk") return consumer.feed(read.bytes);
  if (read.kind === "end") return consumer.finish();
  if (read.kind === "broken") return consumer.finish(read.error);
  const end: StreamEnd = { kind: "stopped", stop: read.stop };
  return { out: new Uint8Array(), is_content: false, end };
}
