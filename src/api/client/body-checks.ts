import { checkMessagesBody } from "../../protocol/anthropic/request/check-body.ts";
import type { BodyProblem } from "../../protocol/body-problem.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import { isTooDeep } from "../../protocol/json/nesting.ts";
import type { JsonObject } from "../../protocol/openai/fields.ts";
import { checkResponsesBody } from "../../protocol/responses/check-body.ts";
import { type BodyCheck, bySchema } from "../receive.ts";
import type { Refusal } from "../refusal.ts";
import { ChatBody, CompletionsBody, EmbeddingsBody } from "./schemas.ts";

/** What a body must hold to be routed at all; everything else is for its target to judge. */
export const BODY_CHECKS: Readonly<Record<Dialect, BodyCheck>> = {
  chat: bySchema(ChatBody),
  completions: bySchema(CompletionsBody),
  embeddings: bySchema(EmbeddingsBody),
  messages: (parsed) => refusalOf(tooDeep(parsed) ?? checkMessagesBody(parsed)),
  responses: (parsed) => refusalOf(checkResponsesBody(parsed)),
};

/** Counting tokens takes a body without the cap on its answer. */
export const COUNTED_CHECK: BodyCheck = (parsed: JsonObject) =>
  refusalOf(tooDeep(parsed) ?? checkMessagesBody(parsed, "count"));

/** Its chat form is written level by level. */
function tooDeep(parsed: JsonObject): BodyProblem | null {
  const message = "The body nests too deeply; flatten it.";
  return isTooDeep(parsed) ? { param: null, message } : null;
}

function refusalOf(problem: BodyProblem | null): Refusal | null {
  return problem && { code: "invalid_request", ...problem };
}
