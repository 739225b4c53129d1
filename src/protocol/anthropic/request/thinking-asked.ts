import { isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";

/** What a request says of thinking, in whichever words. */
export interface ThinkingAsked {
  readonly mode: "on" | "off" | "unsaid";
  /** `minimal` to `max`, or any word a vendor may think of; null if none was named. */
  readonly effort: string | null;
  readonly budget_tokens: number | null;
  /** The client's own `thinking`, whose further members are kept. */
  readonly given: JsonObject;
}

const NOTHING: ThinkingAsked = { mode: "unsaid", effort: null, budget_tokens: null, given: {} };

/** As a Messages body says it: effort alone does not turn thinking on. */
export function askedByMessages(body: JsonObject): ThinkingAsked {
  const effort = effortOf(objectOf(body["output_config"])["effort"]);
  return { ...askedByThinking(body["thinking"]), effort };
}

/** `thinking` as Anthropic spells it, which some clients put into chat bodies too. */
function askedByThinking(thinking: unknown): ThinkingAsked {
  if (!isObject(thinking)) return NOTHING;
  const { type, budget_tokens } = thinking;
  if (type === "disabled" || type === "between_tools") {
    return { ...NOTHING, mode: "off", given: thinking };
  }
  return { ...NOTHING, mode: "on", budget_tokens: countOf(budget_tokens), given: thinking };
}

/** As a chat body says it: `reasoning_effort`, OpenRouter's `reasoning`, or Anthropic's `thinking`. */
export function askedByChat(body: JsonObject): ThinkingAsked {
  const reasoning = objectOf(body["reasoning"]);
  const effort = effortOf(body["reasoning_effort"]) ?? effortOf(reasoning["effort"]);
  const budget = countOf(reasoning["max_tokens"]);
  const thinking = askedByThinking(body["thinking"]);
  if (effort === "none" || reasoning["enabled"] === false) return { ...NOTHING, mode: "off" };
  if (thinking.mode !== "unsaid") return { ...thinking, effort };
  if (effort === null && budget === null && reasoning["enabled"] !== true) return NOTHING;
  return { ...NOTHING, mode: "on", effort, budget_tokens: budget };
}

function effortOf(value: unknown): string | null {
  return isFilledText(value) ? value : null;
}

function countOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? Math.floor(value) : null;
}
