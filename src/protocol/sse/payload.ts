import { applyEdits, type Edit, joinBytes } from "../json/edit.ts";
import type { Span } from "../json/scan.ts";
import type { Frame } from "./framer.ts";

const LF = 0x0a;
const CR = 0x0d;
const COLON = 0x3a;
const SPACE = 0x20;
const DATA = new TextEncoder().encode("data");

const encoder = new TextEncoder();

/** The payload of a frame as bytes, and how to put an edited one back. */
export interface Payload {
  readonly bytes: Uint8Array;
  /** The frame's bytes with its payload edited; all else stays as it came where that is possible. */
  edited(edits: readonly Edit[]): Uint8Array;
}

/** A payload on one line is edited where it stands; one over several lines becomes a frame of ours. */
export function payloadOf({ raw, event, data = "" }: Frame): Payload {
  const lines = dataLines(raw);
  const [line] = lines;
  if (line && lines.length === 1) {
    return {
      bytes: raw.subarray(line.start, line.end),
      edited: (edits) =>
        applyEdits(
          raw,
          edits.map(({ start, end, text }) => ({
            start: start + line.start,
            end: end + line.start,
            text,
          })),
        ),
    };
  }
  const bytes = encoder.encode(data);
  return { bytes, edited: (edits) => frameBytes(event, applyEdits(bytes, edits)) };
}

/** A frame with this payload, which may be of several lines. */
export function frameBytes(event: string | undefined, payload: Uint8Array | string): Uint8Array {
  const text = typeof payload === "string" ? payload : new TextDecoder().decode(payload);
  const name = event === undefined ? "" : `event: ${event}\n`;
  return encoder.encode(`${name}data: ${text.replaceAll("\n", "\ndata: ")}\n\n`);
}

/** The frame's bytes with the blank line that it lacks: SDKs lose an event that none ends. */
export function closedFrame({ terminated }: Frame, bytes: Uint8Array): Uint8Array {
  const isClosed = bytes.at(-1) === LF && bytes.at(-2) === LF;
  if (terminated || isClosed || bytes.length === 0) return bytes;
  // A CR may be half of a CRLF, which the first LF then completes.
  return joinBytes([bytes, encoder.encode(bytes.at(-1) === LF ? "\n" : "\n\n")]);
}

/**
 * The last frame of a stream, its line end whole: cut between CR and LF, the LF would come with a next
 * frame that nobody reads any more.
 */
export function lastFrame(bytes: Uint8Array): Uint8Array {
  const isCut = bytes.at(-1) === CR && bytes.includes(LF);
  return isCut ? joinBytes([bytes, Uint8Array.of(LF)]) : bytes;
}

/** Where the values of a frame's `data` fields stand. */
function dataLines(raw: Uint8Array): Span[] {
  const values: Span[] = [];
  let start = 0;
  while (start < raw.length) {
    const end = lineEnd(raw, start);
    const value = dataValue(raw, { start, end });
    if (value) values.push(value);
    start = end + 1;
  }
  return values;
}

function lineEnd(raw: Uint8Array, from: number): number {
  let at = from;
  while (at < raw.length && raw[at] !== LF && raw[at] !== CR) at++;
  return at;
}

function dataValue(raw: Uint8Array, { start, end }: Span): Span | undefined {
  if (DATA.some((byte, at) => raw[start + at] !== byte)) return undefined;
  const colon = start + DATA.length;
  if (colon === end) return { start: end, end };
  if (raw[colon] !== COLON) return undefined;
  return { start: colon + (raw[colon + 1] === SPACE ? 2 : 1), end };
}
