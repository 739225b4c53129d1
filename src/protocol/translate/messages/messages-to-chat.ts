import {
  arrayOf,
  isFilledText,
  isVisible,
  type JsonObject,
  objectOf,
} from "../../openai/fields.ts";
import { createFindings, type Findings, isGiven, refuseSilence } from "../findings.ts";
import type { TranslatedRequest } from "../translation.ts";
import { effortToChat, formatToChat } from "./effort-to-chat.ts";
import { toolsToChat } from "./tools-to-chat.ts";
import { placedBlocks, turnsOf } from "./turn.ts";
import { chatMessages, systemMessages } from "./turns-to-chat.ts";

/** Members that are carried over or that the router itself reads. */
const READ = new Set([
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "output_format",
  "metadata",
  "stop_sequences",
  "service_tier",
  "veriroute",
]);
const SAME_NAME = ["model", "max_tokens", "temperature", "top_p", "stream"];
/** What Anthropic's own servers would have to do, and nobody else can. */
const SERVER_SIDE = new Set(["mcp_servers", "container"]);
/** OpenAI refuses a longer `user`. */
const MAX_USER = 64;

/** A Messages request as a chat request. */
export function messagesToChat(body: JsonObject): TranslatedRequest {
  const findings = createFindings();
  const system = systemMessages(placedBlocks(body["system"], "system"), findings);
  const turns = turnsOf(body["messages"]).flatMap((turn) => chatMessages(turn, findings));
  const chat: JsonObject = {
    ...sameNamed(body),
    messages: [...system, ...turns],
    ...toolsToChat(body, findings),
    ...effortToChat(body, findings),
    ...formatToChat(body),
    ...stopToChat(body["stop_sequences"]),
    ...userToChat(objectOf(body["metadata"]), findings),
    ...tierToChat(body["service_tier"], findings),
  };
  findLost(body, findings);
  if (turns.length === 0) refuseSilence("messages", findings);
  return { body: chat, lossy: findings.lossy(), refused: findings.refused() };
}

function sameNamed(body: JsonObject): JsonObject {
  return Object.fromEntries(
    SAME_NAME.filter((name) => isGiven(body[name])).map((name) => [name, body[name]]),
  );
}

function stopToChat(sequences: unknown): JsonObject {
  const stop = arrayOf(sequences).filter(isVisible);
  return stop.length === 0 ? {} : { stop };
}

function userToChat({ user_id }: JsonObject, findings: Findings): JsonObject {
  if (!isFilledText(user_id)) return {};
  if (user_id.length <= MAX_USER) return { user: user_id };
  findings.lose("metadata.user_id");
  return {};
}

function tierToChat(tier: unknown, findings: Findings): JsonObject {
  if (tier === "auto") return { service_tier: tier };
  if (isGiven(tier)) findings.lose("service_tier");
  return {};
}

function findLost(body: JsonObject, findings: Findings): void {
  for (const [name, value] of Object.entries(body)) {
    if (!isGiven(value)) continue;
    if (SERVER_SIDE.has(name)) {
      findings.refuse({
        param: name,
        message: `\`${name}\` is for Anthropic's own servers; leave it out or name such a target.`,
      });
    } else if (!READ.has(name) && !SAME_NAME.includes(name)) findings.lose(name);
  }
}
