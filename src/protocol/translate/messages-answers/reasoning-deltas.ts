import { isFilledText, type JsonObject } from "../../openai/fields.ts";

/** How chat names signatures and encrypted reasoning that only Anthropic can read. */
const FORMAT = "anthropic-claude-v1";

/**
 * The delta for a piece of a reasoning block's text; `index` counts such blocks. The text stands in
 * two members: most clients read the one, and only the other can be sent back with its signature.
 */
export function thoughtDeltas(text: unknown, index: number): JsonObject[] {
  if (!isFilledText(text)) return [];
  const entry = { type: "reasoning.text", text, format: FORMAT, index };
  return [{ reasoning_content: text, reasoning_details: [entry] }];
}

export function signatureDeltas(signature: unknown, index: number): JsonObject[] {
  if (!isFilledText(signature)) return [];
  const entry = { type: "reasoning.text", signature, format: FORMAT, index };
  return [{ reasoning_details: [entry] }];
}

export function redactedDeltas(data: unknown, index: number): JsonObject[] {
  if (!isFilledText(data)) return [];
  const entry = { type: "reasoning.encrypted", data, format: FORMAT, index };
  return [{ reasoning_details: [entry] }];
}
