import { CLAUDE_FORMAT } from "../../anthropic/reasoning-format.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";

/** Thinking blocks as the members that chat vendors use for them; empty if there are none. */
export function reasoningOf(blocks: readonly JsonObject[]): JsonObject {
  const text = blocks.map(({ thinking }) => (isFilledText(thinking) ? thinking : "")).join("");
  const details = blocks.map((block, index) => detailOf(block, index));
  return {
    ...(text !== "" && { reasoning_content: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

function detailOf(block: JsonObject, index: number): JsonObject {
  const of = { format: CLAUDE_FORMAT, index };
  if (block["type"] === "redacted_thinking") {
    return { type: "reasoning.encrypted", data: block["data"], ...of };
  }
  const { thinking, signature } = block;
  return { type: "reasoning.text", text: thinking ?? "", signature: signature ?? "", ...of };
}

/** The blocks that Anthropic signed; what another vendor thought it would refuse. */
export function thinkingBlocks(message: JsonObject): readonly JsonObject[] {
  return arrayOf(message["reasoning_details"]).map(objectOf).flatMap(blockOf);
}

function blockOf({ type, format, text, signature, data }: JsonObject): readonly JsonObject[] {
  if (format !== CLAUDE_FORMAT) return [];
  if (type === "reasoning.encrypted") {
    return isFilledText(data) ? [{ type: "redacted_thinking", data }] : [];
  }
  if (type !== "reasoning.text" || !isFilledText(signature)) return [];
  return [{ type: "thinking", thinking: typeof text === "string" ? text : "", signature }];
}
