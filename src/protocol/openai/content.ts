import { arrayOf, isFilledText, isObject, isVisible, type JsonObject, objectOf } from "./fields.ts";

/** What a delta or message carries, by kind. Role, empty text and finish reasons are nothing. */
export interface ContentFacts {
  readonly text: boolean;
  readonly reasoning: boolean;
  readonly tool_calls: boolean;
  readonly refusal: boolean;
  /** Audio, or images that a model drew. */
  readonly media: boolean;
}

const NO_CONTENT: ContentFacts = {
  text: false,
  reasoning: false,
  tool_calls: false,
  refusal: false,
  media: false,
};

/** Content of a chat `delta` or `message`, in every field a vendor may use for it. */
export function chatContent(message: JsonObject): ContentFacts {
  const { content } = message;
  const facts = {
    text: isVisible(content),
    reasoning: hasReasoning(message),
    tool_calls: arrayOf(message["tool_calls"]).length > 0 || isObject(message["function_call"]),
    refusal: isVisible(message["refusal"]),
    media: hasAudio(message["audio"]) || arrayOf(message["images"]).length > 0,
  };
  return Array.isArray(content) ? mergeContent(facts, partsContent(content.map(objectOf))) : facts;
}

/** Content of a list of parts, which few vendors answer with. */
function partsContent(parts: readonly JsonObject[]): ContentFacts {
  return {
    text: parts.some((part) => isVisible(part["text"])),
    reasoning: parts.some(isThinking),
    tool_calls: false,
    refusal: parts.some((part) => isVisible(part["refusal"])),
    media: parts.some(isImage),
  };
}

/** Content of a legacy completion's choice. */
export function completionContent(choice: JsonObject): ContentFacts {
  return { ...NO_CONTENT, text: isVisible(choice["text"]) };
}

export function mergeContent(a: ContentFacts, b: ContentFacts): ContentFacts {
  if (a === NO_CONTENT) return b;
  return {
    text: a.text || b.text,
    reasoning: a.reasoning || b.reasoning,
    tool_calls: a.tool_calls || b.tool_calls,
    refusal: a.refusal || b.refusal,
    media: a.media || b.media,
  };
}

export function contentOfNothing(): ContentFacts {
  return NO_CONTENT;
}

/** Content-bearing: its first appearance commits a stream to the client. */
export function isContentBearing(facts: ContentFacts): boolean {
  return facts.text || facts.reasoning || facts.tool_calls || facts.refusal || facts.media;
}

function hasReasoning(message: JsonObject): boolean {
  const { reasoning, reasoning_content, thinking, reasoning_details: details } = message;
  if (isFilledText(reasoning) || isFilledText(reasoning_content) || isFilledText(thinking)) {
    return true;
  }
  return Array.isArray(details) && details.map(objectOf).some(isReasoningDetail);
}

/** OpenRouter opens an entry with empty text; only what fills it is reasoning. */
function isReasoningDetail(detail: JsonObject): boolean {
  const fields = ["text", "summary", "data"].filter((key) => key in detail);
  return fields.length === 0
    ? Object.keys(detail).length > 0
    : fields.some((key) => isFilledText(detail[key]));
}

/** Mistral sends reasoning as a content part. */
function isThinking({ type, thinking }: JsonObject): boolean {
  if (type !== "thinking") return false;
  return (
    isFilledText(thinking) || arrayOf(thinking).some((part) => isFilledText(objectOf(part)["text"]))
  );
}

function isImage({ type }: JsonObject): boolean {
  return type === "image_url" || type === "image";
}

/** The first audio delta may bring nothing but the id of what is to come. */
function hasAudio(audio: unknown): boolean {
  if (!isObject(audio)) return false;
  return Object.entries(audio).some(([key, value]) => key !== "id" && isFilledText(value));
}
