import type { JsonObject } from "../../openai/fields.ts";
import type { ResponsesTools } from "../../responses/response-tools.ts";
import { createFindings, refuseSilence } from "../findings.ts";
import type { TranslatedRequest } from "../translation.ts";
import { inputToChat } from "./input-to-chat.ts";
import { settingsToChat } from "./settings-to-chat.ts";
import { toolMembers } from "./tool-choice-to-chat.ts";
import { toolsToChat } from "./tools-to-chat.ts";

/** A chat request, and what is needed to turn its answer's calls back into the client's own. */
export interface ResponsesRequest extends TranslatedRequest {
  readonly tools: ResponsesTools;
}

/** A Responses request that has passed `checkResponsesBody` as a chat request. */
export function responsesToChat(body: JsonObject): ResponsesRequest {
  const findings = createFindings();
  const tools = toolsToChat(body, findings);
  const messages = inputToChat(body, tools, findings);
  if (messages.length === 0) refuseSilence("input", findings);
  const chat = {
    ...settingsToChat(body, findings),
    messages,
    ...toolMembers(body, tools, findings),
  };
  return { body: chat, tools: tools.names, lossy: findings.lossy(), refused: findings.refused() };
}
