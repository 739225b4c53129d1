import { CLAUDE_FORMAT } from "../../anthropic/reasoning-format.ts";
import { isFilledText, type JsonObject } from "../../openai/fields.ts";

/**
 * The delta for a piece of a reasoning block's text; `index` counts such blocks. The text stands in
 * two members: most clients read the one, and only the other can be sent back with its signature.
 */
export function thoughtDeltas(text: unknown, index: number): JsonObject[] {
  if (!isFilledText(text)) return [];
  const entry = { type: "reasoning.text", text, format: CLAUDE_FORMAT, index };
  return [{ reasoning_content: text, reasoning_details: [entry] }];
}

export function signatureDeltas(signature: unknown, index: number): JsonObject[] {
  if (!isFilledText(signature)) return [];
  const entry = { type: "reasoning.text", signature, format: CLAUDE_FORMAT, index };
  return [{ reasoning_details: [entry] }];
}

export function redactedDeltas(data: unknown, index: number): JsonObject[] {
  if (!isFilledText(data)) return [];
  const entry = { type: "reasoning.encrypted", data, format: CLAUDE_FORMAT, index };
  return [{ reasoning_details: [entry] }];
}
