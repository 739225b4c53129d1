import { isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { dropReasoning } from "../../responses/drop-reasoning.ts";
import { createFindings } from "../findings.ts";
import type { TranslatedRequest } from "../translation.ts";
import { inputFromChat } from "./input-from-chat.ts";
import { settingsFromChat } from "./settings-from-chat.ts";
import { toolsFromChat } from "./tools-from-chat.ts";

interface ToldResponses {
  /** False for a target of which is known that it did not think what the history holds. */
  readonly keep_thinking?: boolean;
}

/** A chat request for a target that speaks only Responses. */
export function chatToResponses(
  body: JsonObject,
  { keep_thinking = true }: ToldResponses = {},
): TranslatedRequest {
  const findings = createFindings();
  const read = inputFromChat(body["messages"], findings);
  const { instructions } = read;
  const input = (keep_thinking ? null : dropReasoning(read.input, "all")) ?? read.input;
  const has_reasoning = input.some((entry) => objectOf(entry)["type"] === "reasoning");
  const thinks = has_reasoning || isThinking(body);
  const responses = {
    ...settingsFromChat(body, findings),
    ...(instructions !== null && { instructions }),
    input,
    ...toolsFromChat(body, findings),
    // What is not kept by the vendor comes back only if it is asked for; models that do not reason refuse to be.
    ...(thinks && { include: ["reasoning.encrypted_content"] }),
  };
  return { body: responses, lossy: findings.lossy(), refused: findings.refused() };
}

function isThinking(body: JsonObject): boolean {
  const effort = body["reasoning_effort"] ?? objectOf(body["reasoning"])["effort"];
  return isFilledText(effort) && effort !== "none";
}
