import type { JsonObject } from "../openai/fields.ts";
import { isUnchanged } from "./changes.ts";
import { type ChatLesson, joinLessons, withLesson } from "./lesson.ts";
import type { ChatQuirks } from "./quirks.ts";
import { lessonOf, type Refusal } from "./read-lesson.ts";
import { shapeChat } from "./shape-chat.ts";

interface Refused {
  readonly refusal: Refusal;
  /** The body that was refused, as it was sent. */
  readonly sent: JsonObject;
  /** What the catalogue knows of the model. */
  readonly quirks: ChatQuirks;
  /** What was learned of it before. */
  readonly known: ChatLesson | undefined;
  /** The client named the target itself. */
  readonly pinned: boolean;
}

/**
 * All that is known once a vendor has refused a body, to be remembered for the model and to shape the
 * next call to it; null if that call would be the same. Several calls at once may learn the same.
 */
export function learnFrom({ refusal, sent, known, ...shaping }: Refused): ChatLesson | null {
  const news = lessonOf(refusal, sent);
  if (news === null) return null;
  const { pinned } = shaping;
  const lesson = joinLessons(known, news);
  const quirks = withLesson(shaping.quirks, { lesson, pinned });
  const { change } = shapeChat({ parsed: sent, params: {}, quirks, pinned, is_foreign: false });
  return isUnchanged(change) ? null : lesson;
}
