import { skipBlanks } from "../protocol/json/scan.ts";

/** What an answer's first bytes show it to be, whatever its content type says. */
export type AnswerShape = "sse" | "json" | "other" | "undecided";

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const decoder = new TextDecoder();
const SSE_START = /^(data|event|id|retry|error) ?:|^:/;

/** Of answers that show their shape by a word, which may come in pieces. */
const OPENINGS = ["data:", "event:", "id:", "retry:", "error:", "null"];

export function isEventStream(headers: Headers): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/** Reads the shape off the start of a body; `undecided` if it takes more to tell. */
export function shapeOf(start: Uint8Array, headers: Headers): AnswerShape {
  const at = opens(start);
  if (start[at] === OPEN_BRACE || start[at] === OPEN_BRACKET) return "json";
  const text = decoder.decode(start.subarray(at, at + 16));
  if (/^null\b/.test(text)) return "json";
  if (SSE_START.test(text)) return "sse";
  if (isEventStream(headers)) return "sse";
  return OPENINGS.some((opening) => opening.startsWith(text)) ? "undecided" : "other";
}

/** Nothing but blanks, and a byte order mark before them. */
export function isBlank(start: Uint8Array): boolean {
  return opens(start) >= start.length;
}

const opens = (start: Uint8Array): number => skipBlanks(start, start[0] === 0xef ? 3 : 0);
