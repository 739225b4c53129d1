import type { Target } from "../address/target.ts";
import type { Failure } from "../health/failure.ts";
import { type JsonObject, objectOf, parseJson } from "../protocol/openai/fields.ts";
import { learnFrom } from "../protocol/shaping/learn.ts";
import type { ChatLesson } from "../protocol/shaping/lesson.ts";
import type { Instance } from "../upstream/instance.ts";
import { knownQuirks } from "./known-quirks.ts";
import { createLessonBook } from "./lesson-book.ts";
import type { Run } from "./run.ts";

/** A call that was refused. */
export interface Refused {
  readonly run: Pick<Run, "sent">;
  readonly instance: Instance;
  readonly target: Target;
  /** The client named the target itself. */
  readonly pinned: boolean;
}

/** What errors of instances' models taught of how they take chat. */
export function createChatLessons() {
  const book = createLessonBook<ChatLesson>();

  /** Whether the next call to the target will do otherwise. */
  function learn(refusal: Failure, { run, instance, target, pinned }: Refused): boolean {
    if (run.sent?.wire !== "chat") return false;
    const { model } = target;
    const lesson = learnFrom({
      refusal,
      sent: sentBody(run.sent),
      quirks: knownQuirks(instance, model),
      known: book.on(instance, model),
      pinned,
    });
    if (lesson !== null) book.put(instance, model, lesson);
    return lesson !== null;
  }

  return { on: book.on, learn };
}

/** The body of a call, parsed. */
export function sentBody({ body }: NonNullable<Run["sent"]>): JsonObject {
  return objectOf(parseJson(new TextDecoder().decode(body)));
}
