import { type Edit, objectEdits } from "../../json/edit.ts";
import { memberValue, objectMembers } from "../../json/scan.ts";
import { isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { MessagesEvent } from "../read-event.ts";

/** Values for members of an event, as JSON text by path; a member on the way is an object. */
export type Repairs = ReadonlyMap<string, string>;

const NOT_COUNTED = { input_tokens: 0 };

/** The opening of a message without which SDKs throw. */
export function startRepairs(event: MessagesEvent, fallback: JsonObject): Repairs {
  const { message } = event;
  if (!isObject(message)) return new Map([["message", JSON.stringify(fallback)]]);
  const repairs = new Map<string, string>();
  const { role, content, usage } = message;
  // What a stream opens with is all that SDKs add to.
  if (typeof role !== "string") repairs.set("message.role", '"assistant"');
  if (!Array.isArray(content)) repairs.set("message.content", "[]");
  if (typeof objectOf(usage)["input_tokens"] !== "number") {
    repairs.set("message.usage", JSON.stringify({ ...objectOf(usage), ...NOT_COUNTED }));
  }
  return repairs;
}

interface EndFacts {
  /** Tokens told before; what is missing now counts as these. */
  readonly output_tokens: number;
  /** The reason in the words of the dialect; null if the event names none. */
  readonly stop_reason: string | null;
}

/** The end of a message: SDKs read `delta` and `usage.output_tokens` without asking. */
export function endRepairs(
  event: MessagesEvent,
  { output_tokens, stop_reason }: EndFacts,
): Repairs {
  const { delta, usage } = event;
  const repairs = new Map<string, string>();
  if (!isObject(delta)) repairs.set("delta", '{"stop_reason":null,"stop_sequence":null}');
  else if (isFilledText(delta["stop_reason"]) && delta["stop_reason"] !== stop_reason) {
    repairs.set("delta.stop_reason", JSON.stringify(stop_reason));
  }
  if (!isObject(usage)) repairs.set("usage", JSON.stringify({ output_tokens }));
  else if (typeof usage["output_tokens"] !== "number") {
    repairs.set("usage.output_tokens", String(output_tokens));
  }
  return repairs;
}

/** An event of a block that does not say which; `index` is the one that must be meant. */
export function blockRepairs(event: MessagesEvent, index: number): Repairs {
  return event["index"] === index ? new Map() : new Map([["index", String(index)]]);
}

/** The edits that make the repairs in the payload of the event. */
export function repairEdits(payload: Uint8Array, repairs: Repairs): Edit[] {
  const open = payload.indexOf(0x7b);
  const members = objectMembers(payload, open);
  return [...repairs].flatMap(([path, text]) => {
    const [outer = "", inner] = path.split(".");
    if (inner === undefined) return objectEdits(open, members, change(outer, text));
    const span = memberValue(members, outer);
    if (!span) return [];
    return objectEdits(span.start, objectMembers(payload, span.start), change(inner, text));
  });
}

const change = (key: string, text: string) => ({
  set: new Map([[key, text]]),
  remove: new Set<string>(),
});

/** The token count that a usage object tells; undefined if it tells none. */
export function outputTokensIn(value: unknown): number | undefined {
  const count = objectOf(value)["output_tokens"];
  return typeof count === "number" ? count : undefined;
}
