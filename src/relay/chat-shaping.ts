import type { JsonObject } from "../protocol/openai/fields.ts";
import type { BodySource } from "../protocol/openai/outgoing.ts";
import { applyChanges } from "../protocol/shaping/changes.ts";
import { type ChatLesson, withLesson } from "../protocol/shaping/lesson.ts";
import { shapeChat } from "../protocol/shaping/shape-chat.ts";
import type { Untranslatable } from "../protocol/translate/translation.ts";
import { knownQuirks } from "./known-quirks.ts";
import type { ShapedFor } from "./shape.ts";

/** A chat body, and what became of it. */
export interface ShapedSource {
  readonly source: BodySource;
  /** The spec's params as this vendor spells them. */
  readonly params: JsonObject;
  /** Members that are left out or do nothing, by path. */
  readonly lossy: readonly string[];
  /** Members that are said otherwise. */
  readonly edits: readonly string[];
}

interface ForChat extends Pick<ShapedFor, "instance" | "target" | "pinned"> {
  /** In the words of chat, without those that the client set. */
  readonly params: JsonObject;
  /** Those of them that no client is refused for. */
  readonly preferred: ReadonlySet<string> | undefined;
  readonly lesson: ChatLesson | undefined;
  /** The vendor said that earlier turns are not its own. */
  readonly is_foreign: boolean;
}

/** A chat body as its target takes it, or why the target is not to be asked. */
export function shapeForChat(source: BodySource, to: ForChat): ShapedSource | Untranslatable {
  const { instance, target, lesson, pinned, is_foreign } = to;
  const known = knownQuirks(instance, target.model);
  const quirks = lesson === undefined ? known : withLesson(known, { lesson, pinned });
  const { parsed } = source;
  const { params: given, preferred } = to;
  const shaped = shapeChat({ parsed, quirks, params: given, preferred, pinned, is_foreign });
  const { change, params, edits, lossy, refused } = shaped;
  const [barrier] = refused;
  if (barrier) return barrier;
  return { source: applyChanges(source, change), params, lossy, edits };
}
