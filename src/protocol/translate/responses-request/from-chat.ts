import { isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { TranslatedRequest } from "../translation.ts";
import { inputFromChat } from "./input-from-chat.ts";
import { createReport } from "./report.ts";
import { settingsFromChat } from "./settings-from-chat.ts";
import { toolsFromChat } from "./tools-from-chat.ts";

/** A chat request for a target that speaks only Responses. */
export function chatToResponses(body: JsonObject): TranslatedRequest {
  const report = createReport();
  const { instructions, input, has_reasoning } = inputFromChat(body["messages"], report);
  const thinks = has_reasoning || isThinking(body);
  const responses = {
    ...settingsFromChat(body, report),
    ...(instructions !== null && { instructions }),
    input,
    ...toolsFromChat(body, report),
    // What is not kept by the vendor comes back only if it is asked for; models that do not reason refuse to be.
    ...(thinks && { include: ["reasoning.encrypted_content"] }),
  };
  return { body: responses, lossy: report.lossy(), refused: report.refused() };
}

function isThinking(body: JsonObject): boolean {
  const effort = body["reasoning_effort"] ?? objectOf(body["reasoning"])["effort"];
  return isFilledText(effort) && effort !== "none";
}
