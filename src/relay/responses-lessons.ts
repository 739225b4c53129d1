import type { Failure } from "../health/failure.ts";
import {
  joinResponsesLessons,
  type ResponsesLesson,
  responsesLessonOf,
} from "../protocol/shaping/responses-lesson.ts";
import { shapeForResponses } from "../protocol/shaping/shape-responses.ts";
import { type Refused, sentBody } from "./chat-lessons.ts";
import { knownQuirks } from "./known-quirks.ts";
import { createLessonBook } from "./lesson-book.ts";

/** What errors of instances' models taught of how they take Responses. */
export function createResponsesLessons() {
  const book = createLessonBook<ResponsesLesson>();

  /** Whether the next call to the target will do otherwise. */
  function learn(refusal: Failure, { run, instance, target, pinned }: Refused): boolean {
    if (run.sent?.wire !== "responses") return false;
    const { model } = target;
    const sent = sentBody(run.sent);
    const news = responsesLessonOf(refusal, sent);
    if (news === null) return false;
    const lesson = joinResponsesLessons(book.on(instance, model), news);
    const quirks = knownQuirks(instance, model);
    if (shapeForResponses(sent, { quirks, lesson, pinned, has_effort: false }) === null)
      return false;
    book.put(instance, model, lesson);
    return true;
  }

  return { on: book.on, learn };
}
