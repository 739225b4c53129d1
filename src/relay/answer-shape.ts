import { skipBlanks } from "../protocol/json/scan.ts";

/** What an answer's first bytes show it to be, whatever its content type says. */
export type AnswerShape = "sse" | "json" | "other" | "undecided";

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const decoder = new TextDecoder();
const SSE_START = /^(data|event|id|retry|error) ?:|^:/;

export function isEventStream(headers: Headers): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/** Reads the shape off the start of a body; `undecided` if only blanks have come so far. */
export function shapeOf(start: Uint8Array, headers: Headers): AnswerShape {
  const at = skipBlanks(start, start[0] === 0xef ? 3 : 0);
  if (start[at] === OPEN_BRACE || start[at] === OPEN_BRACKET) return "json";
  const text = decoder.decode(start.subarray(at, at + 16));
  if (/^null\b/.test(text)) return "json";
  if (SSE_START.test(text)) return "sse";
  if (isEventStream(headers)) return "sse";
  return at >= start.length ? "undecided" : "other";
}
