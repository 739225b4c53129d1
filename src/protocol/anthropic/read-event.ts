import { isErrorChunk } from "../openai/answer-error.ts";
import {
  arrayOf,
  isFilledText,
  isObject,
  type JsonObject,
  objectOf,
  parseJson,
} from "../openai/fields.ts";
import { isErrorFinish } from "../openai/finish-reason.ts";
import { salvage } from "../openai/stream/salvage.ts";
import type { Frame } from "../sse/framer.ts";
import { frameBytes } from "../sse/payload.ts";

/** An event of known type; its other members are as they came. */
export interface MessagesEvent extends JsonObject {
  readonly type: string;
}

/** What a frame of a Messages stream turned out to be. */
export type ReadEvent =
  /** `is_typed` is false where only the frame's `event:` line names the type. */
  | { readonly kind: "event"; readonly event: MessagesEvent; readonly is_typed: boolean }
  /** What tells of an error, for the classifier: JSON or an event's text. */
  | { readonly kind: "error"; readonly payload: string }
  /** A comment, or an event without data. */
  | { readonly kind: "nothing" }
  /** `[DONE]`, which is how chat ends. */
  | { readonly kind: "done" }
  /** No event that anybody could read. */
  | { readonly kind: "malformed" };

/**
 * Reads a frame, whatever form its sender gives to errors; never throws. One that holds several events,
 * as servers write that forget a blank line, comes to as many.
 */
export function readFrame(frame: Frame): ReadEvent[] {
  const found = readEvent(frame);
  const parts = found.kind === "malformed" ? framesWithin(frame) : [];
  return parts.length === 0 ? [found] : parts.map(readEvent);
}

/** The frames that can be saved from one whose payload is no JSON. */
export function framesWithin({ data = "" }: Frame): Frame[] {
  return salvage(data).map((payload) => {
    const type = objectOf(parseJson(payload))["type"];
    const event = isFilledText(type) ? type : undefined;
    return { raw: frameBytes(event, payload), event, data: payload, terminated: true };
  });
}

export function readEvent(frame: Frame): ReadEvent {
  const { data, event: name } = frame;
  if (data === undefined) return readBare(frame);
  if (data.trim() === "[DONE]") return { kind: "done" };
  const parsed = parseJson(data);
  // Google's relays wrap an error into a list of one.
  const body = Array.isArray(parsed) ? arrayOf(parsed)[0] : parsed;
  if (name === "error") return { kind: "error", payload: isObject(body) ? data : named(data) };
  if (isObject(body) && isErrorChunk(body)) return { kind: "error", payload: data };
  if (!isObject(parsed)) return { kind: "malformed" };
  const is_typed = isFilledText(parsed["type"]);
  const type = isFilledText(parsed["type"]) ? parsed["type"] : name;
  if (type === undefined) return { kind: "malformed" };
  const reason = objectOf(parsed["delta"])["stop_reason"];
  if (isErrorFinish(reason)) return { kind: "error", payload: failedStop(String(reason)) };
  return { kind: "event", event: { ...parsed, type }, is_typed };
}

/** Plain text is told from an answer's by the event's name alone. */
const named = (data: string) => new TextDecoder().decode(frameBytes("error", data));

/** Old servers write an error as a field of its own. */
function readBare({ raw }: Frame): ReadEvent {
  const [, error] = /^error: ?(.*)$/m.exec(new TextDecoder().decode(raw)) ?? [];
  return error === undefined ? { kind: "nothing" } : { kind: "error", payload: error };
}

function failedStop(reason: string): string {
  const message = `the upstream ended its answer with stop_reason ${reason}`;
  return JSON.stringify({ type: "error", error: { type: "api_error", message } });
}
