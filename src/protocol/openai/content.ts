import { arrayOf, isObject, isVisible, type JsonObject, objectOf } from "./fields.ts";

/** What a delta or message carries, by kind. Role, empty text and finish reasons are nothing. */
export interface ContentFacts {
  readonly text: boolean;
  readonly reasoning: boolean;
  readonly tool_calls: boolean;
  readonly refusal: boolean;
  readonly audio: boolean;
}

const NO_CONTENT: ContentFacts = {
  text: false,
  reasoning: false,
  tool_calls: false,
  refusal: false,
  audio: false,
};

/** Content of a chat `delta` or `message`, in every field a vendor may use for it. */
export function chatContent(message: JsonObject): ContentFacts {
  const parts = arrayOf(message["content"]).map(objectOf);
  return {
    text: isVisible(message["content"]) || parts.some((part) => isVisible(part["text"])),
    reasoning: hasReasoning(message) || parts.some(isThinking),
    tool_calls: arrayOf(message["tool_calls"]).length > 0 || isObject(message["function_call"]),
    refusal: isVisible(message["refusal"]),
    audio: isObject(message["audio"]),
  };
}

/** Content of a legacy completion's choice. */
export function completionContent(choice: JsonObject): ContentFacts {
  return { ...NO_CONTENT, text: isVisible(choice["text"]) };
}

export function mergeContent(a: ContentFacts, b: ContentFacts): ContentFacts {
  return {
    text: a.text || b.text,
    reasoning: a.reasoning || b.reasoning,
    tool_calls: a.tool_calls || b.tool_calls,
    refusal: a.refusal || b.refusal,
    audio: a.audio || b.audio,
  };
}

export function contentOfNothing(): ContentFacts {
  return NO_CONTENT;
}

/** Content-bearing: its first appearance commits a stream to the client. */
export function isContentBearing(facts: ContentFacts): boolean {
  return facts.text || facts.reasoning || facts.tool_calls || facts.refusal || facts.audio;
}

function hasReasoning(message: JsonObject): boolean {
  const details = message["reasoning_details"];
  return (
    isNonEmpty(message["reasoning"]) ||
    isNonEmpty(message["reasoning_content"]) ||
    (Array.isArray(details) && details.length > 0)
  );
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Mistral sends reasoning as a content part. */
function isThinking(part: JsonObject): boolean {
  return part["type"] === "thinking" && arrayOf(part["thinking"]).length > 0;
}
