import type { Probe } from "../../../canary/probes/probe.ts";
import { chatQuirks } from "../../../catalog/chat-quirks/find-chat-quirks.ts";
import type { ProviderPaths, ProviderType } from "../../../catalog/provider-type.ts";
import { wireFor } from "../../../protocol/dialect.ts";
import { type JsonObject, objectOf } from "../../../protocol/openai/fields.ts";
import { changedObject } from "../../../protocol/shaping/changes.ts";
import { type ChatLesson, withLesson } from "../../../protocol/shaping/lesson.ts";
import { shapeChat } from "../../../protocol/shaping/shape-chat.ts";
import { FORMATS } from "../../../protocol/translate/formats.ts";
import type { TalkDialect } from "../../../protocol/translate/translation.ts";
import type { Instance } from "../../../upstream/instance.ts";

/** A probe as its instance's type wants it. */
export interface PreparedProbe {
  readonly wire: TalkDialect;
  readonly path: string;
  readonly body: JsonObject;
}

/** What the instance's own refusals taught. */
export interface Learned {
  readonly lesson: ChatLesson | undefined;
  /** It may be asked for the usage of a stream. */
  readonly tells_usage: boolean;
}

/**
 * The body that is sent, shaped and translated as a client's would be. Null where that would leave out
 * the form that the answer must have: whoever is not told of it cannot be held to it.
 */
export function prepareProbe(
  probe: Probe,
  { type }: Instance,
  learned: Learned,
): PreparedProbe | null {
  const wire = talkWire(type.paths);
  const path = wire === null ? null : type.paths[wire];
  if (wire === null || path === null) return null;
  const body = wire === "chat" ? shaped(probe, type, learned) : translated(probe, wire);
  return body === null ? null : { wire, path, body };
}

function shaped(
  { body, stream, format, endpoint }: Probe,
  type: ProviderType,
  { lesson, tells_usage }: Learned,
): JsonObject | null {
  const parsed = stream && tells_usage && type.quirks.stream_options ? withUsage(body) : body;
  const quirks = withLesson(chatQuirks(type, endpoint.model), { lesson, pinned: false });
  const asked = { parsed, params: {}, quirks, pinned: false, is_foreign: false };
  const { change, refused } = shapeChat(asked);
  const sent = changedObject(parsed, change);
  const isUntold = format !== null && !isSchema(sent["response_format"]);
  return refused.length > 0 || isUntold ? null : sent;
}

function translated(
  { body: asked, stream, format, endpoint: { model } }: Probe,
  wire: Exclude<TalkDialect, "chat">,
): JsonObject | null {
  const { body, refused, lossy } = FORMATS[wire].requestFromChat(asked, { model });
  const isUntold = format !== null && lossy.some((name) => name.startsWith("response_format"));
  return refused.length > 0 || isUntold ? null : { ...body, model, stream };
}

function talkWire(paths: ProviderPaths): TalkDialect | null {
  const wire = wireFor("chat", paths);
  return wire === "chat" || wire === "messages" || wire === "responses" ? wire : null;
}

const withUsage = (body: JsonObject): JsonObject => ({
  ...body,
  stream_options: { include_usage: true },
});

const isSchema = (format: unknown): boolean => objectOf(format)["type"] === "json_schema";
