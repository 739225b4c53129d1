import { isFilledText, type JsonObject, objectOf } from "../openai/fields.ts";
import { isNamed, MOST_AT_ONCE, type Refusal, REJECTS, valuesIn } from "./read-lesson.ts";

/** What errors of a vendor taught of how one of its models takes Responses. */
export interface ResponsesLesson {
  /** Members it does not take, by path such as `temperature` or `reasoning.summary`. */
  readonly refuses: ReadonlySet<string>;
  /** Words that the effort may have; none if the model takes no effort at all. */
  readonly efforts?: readonly string[];
}

/** All that was known and what was learned now. */
export function joinResponsesLessons(
  known: ResponsesLesson | undefined,
  lesson: ResponsesLesson,
): ResponsesLesson {
  const refuses = new Set([...(known?.refuses ?? []), ...lesson.refuses]);
  return { ...known, ...lesson, refuses };
}

/** What no request can do without, the router's own, and what has rules of its own. */
const KEPT: ReadonlySet<string> = new Set([
  "background",
  "conversation",
  "input",
  "instructions",
  "max_output_tokens",
  "model",
  "previous_response_id",
  "prompt",
  "reasoning",
  "reasoning.effort",
  "stream",
  "text",
  "text.format",
  "tool_choice",
  "tools",
  "top_logprobs",
]);

/**
 * What a 400 or 422 teaches of the model that gave it; null if it is about something else, or about
 * what cannot be left out. `sent` is the body it answers.
 */
export function responsesLessonOf(
  { status, message, param }: Refusal,
  sent: JsonObject,
): ResponsesLesson | null {
  if (message === null || (status !== 400 && status !== 422)) return null;
  const told = `${param ?? ""} ${message}`;
  if (/reasoning[._]effort/.test(told)) return effortLesson(message, sent);
  if (!REJECTS.test(message)) return null;
  const own = pathsOf(sent).filter((path) => !KEPT.has(path));
  const pointed = own.filter((path) => path === param);
  const named = pointed.length > 0 ? pointed : own.filter((path) => isNamed(message, path));
  // A text that names many members is a list of what is taken, or a repeated prompt.
  if (named.length === 0 || named.length > MOST_AT_ONCE) return null;
  return { refuses: new Set(named) };
}

function effortLesson(message: string, sent: JsonObject): ResponsesLesson | null {
  const { effort } = objectOf(sent["reasoning"]);
  if (!isFilledText(effort)) return null;
  if (!REJECTS.test(message) && !/must be one of|should be/i.test(message)) return null;
  const efforts = valuesIn(message);
  return efforts.includes(effort) ? null : { refuses: new Set(), efforts };
}

/** Members of the body, and those of its settings. */
function pathsOf(sent: JsonObject): readonly string[] {
  const within = ["reasoning", "text"].flatMap((name) =>
    Object.keys(objectOf(sent[name])).map((inner) => `${name}.${inner}`),
  );
  return [...Object.keys(sent), ...within];
}
