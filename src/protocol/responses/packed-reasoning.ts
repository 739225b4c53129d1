import { isTooDeep } from "../json/nesting.ts";
import { arrayOf, isObject, type JsonObject, objectOf, parseJson } from "../openai/fields.ts";

/**
 * What a vendor of chat wants to see again and a response has no member for: signatures of its
 * reasoning, and those beside its calls. It travels as the opaque `encrypted_content` of a reasoning
 * item, which clients send back unread.
 */
export interface KeptReasoning {
  readonly details: readonly JsonObject[];
  /** `extra_content` by call id. */
  readonly calls: ReadonlyMap<string, JsonObject>;
}

/** What OpenRouter calls encrypted reasoning of OpenAI's. */
const OPENAI_FORMAT = "openai-responses-v1";

const MARK = "veriroute.1.";

/** `encrypted_content` for what is kept; OpenAI's own stays as OpenAI wrote it. */
export function packReasoning({ details, calls }: KeptReasoning): string {
  const [only] = details;
  if (details.length === 1 && calls.size === 0 && only && isOpenAiDetail(only)) {
    return String(only["data"]);
  }
  const json = JSON.stringify({ details, calls: Object.fromEntries(calls) });
  return MARK + new TextEncoder().encode(json).toBase64();
}

/** What a reasoning item brings back; nothing if it is packed and damaged. */
export function unpackReasoning({ encrypted_content: text, id }: JsonObject): KeptReasoning {
  if (typeof text !== "string" || text === "") return NOTHING;
  if (!isPacked(text)) {
    const detail = { type: "reasoning.encrypted", data: text, format: OPENAI_FORMAT };
    return { details: [typeof id === "string" ? { ...detail, id } : detail], calls: new Map() };
  }
  const kept = objectOf(parseJson(decoded(text.slice(MARK.length))));
  if (isTooDeep(kept)) return NOTHING;
  const calls = Object.entries(objectOf(kept["calls"])).flatMap(([call, extra]) =>
    isObject(extra) ? [[call, extra] as const] : [],
  );
  return { details: arrayOf(kept["details"]).filter(isObject), calls: new Map(calls) };
}

/** Whether the router packed it; a provider with a Responses API would refuse it. */
export function isPacked(encrypted_content: string): boolean {
  return encrypted_content.startsWith(MARK);
}

/** Encrypted reasoning that a provider with OpenAI's Responses API gave. */
export function isOpenAiDetail({ type, data, format }: JsonObject): boolean {
  return type === "reasoning.encrypted" && typeof data === "string" && format === OPENAI_FORMAT;
}

const NOTHING: KeptReasoning = { details: [], calls: new Map() };

function decoded(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(base64));
  } catch {
    return "";
  }
}
