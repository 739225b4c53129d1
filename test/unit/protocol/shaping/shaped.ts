import { chatQuirks } from "../../../../src/catalog/chat-quirks/find-chat-quirks.ts";
import { PROVIDER_TYPES } from "../../../../src/catalog/provider-types.ts";
import { objectMembers } from "../../../../src/protocol/json/scan.ts";
import { arrayOf, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";
import type { BodySource } from "../../../../src/protocol/openai/outgoing.ts";
import { applyChanges } from "../../../../src/protocol/shaping/changes.ts";
import { type ChatLesson, withLesson } from "../../../../src/protocol/shaping/lesson.ts";
import { shapeChat } from "../../../../src/protocol/shaping/shape-chat.ts";

/** A body as the relay scans it once. */
export function sourceOf(text: string): BodySource {
  const bytes = new TextEncoder().encode(text);
  const open = bytes.indexOf(0x7b);
  return { bytes, open, members: objectMembers(bytes, open), parsed: objectOf(JSON.parse(text)) };
}

export const textOf = ({ bytes }: BodySource): string => new TextDecoder().decode(bytes);

interface To {
  readonly type: string;
  readonly model?: string;
  readonly pinned?: boolean;
  readonly params?: JsonObject;
  readonly is_foreign?: boolean;
  readonly lesson?: ChatLesson;
}

/** A body as it is sent to a vendor's model, and what is told of it. */
export function shaped(text: string, to: To) {
  const { type: id, model = "m", pinned = false, params = {}, is_foreign = false } = to;
  const type = PROVIDER_TYPES.find((known) => known.id === id);
  if (!type) throw new Error(`no provider type ${id}`);
  const quirks = withLesson(chatQuirks(type, model), { lesson: to.lesson, pinned });
  const source = sourceOf(text);
  const { change, ...told } = shapeChat({
    parsed: source.parsed,
    params,
    quirks,
    pinned,
    is_foreign,
  });
  return { ...told, text: textOf(applyChanges(source, change)) };
}

/** The body that a vendor's model gets, as an object. */
export const sentTo = (to: To, body: JsonObject): JsonObject =>
  objectOf(JSON.parse(shaped(JSON.stringify(body), to).text));

export const user = { role: "user", content: "q" };
export const called = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: "function",
  function: { name: "f", arguments: "{}" },
  ...more,
});
export const calling = (more: JsonObject = {}, id = "c1"): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: [called(id)],
  ...more,
});
export const result = (id = "c1"): JsonObject => ({
  role: "tool",
  tool_call_id: id,
  content: "ok",
});

export const messagesOf = (body: JsonObject) => arrayOf(body["messages"]).map(objectOf);
