import type { ChunkCursor } from "./chunk-cursor.ts";
import type { Frame } from "./framer.ts";

const EVENT = "event: ";
const DATA = "data: ";
/** A name that a parser takes as it is. */
const NAME = /^\w[\w.]*$/;

/**
 * Cuts off a frame of the form that nearly all have, without a parser: `data: {…}` or `data: [DONE]` on
 * one line, perhaps one with the event's name before, and a blank one, all ended by LF. What it comes to
 * is what the parser would make of it. Undefined for any other, which may have no end in this chunk, and
 * for one of more than `max_frame` bytes.
 */
export function cutPlain(cursor: ChunkCursor, max_frame: number): Frame | undefined {
  const { text, place } = cursor;
  const event = nameAt(text, place);
  const field = event === undefined ? place : place + EVENT.length + event.length + 1;
  if (!text.startsWith(DATA, field)) return undefined;
  const value = field + DATA.length;
  // A value that begins so has no BOM, blank or colon that a parser would look at.
  if (text[value] !== "{" && text[value] !== "[") return undefined;
  const line = text.indexOf("\n", value);
  if (line === -1 || text[line + 1] !== "\n") return undefined;
  const data = text.slice(value, line);
  // CR ends a line, too.
  if (data.includes("\r")) return undefined;
  const end = line + 2;
  const mayExceed = cursor.bytes.length > max_frame;
  if (mayExceed && cursor.byteAt(end) - cursor.at > max_frame) return undefined;
  return { raw: cursor.take(end), event, data, terminated: true };
}

/** The name that the line at `place` gives to an event; undefined if that is no such line. */
function nameAt(text: string, place: number): string | undefined {
  if (!text.startsWith(EVENT, place)) return undefined;
  const name = text.slice(place + EVENT.length, text.indexOf("\n", place));
  return NAME.test(name) ? name : undefined;
}
