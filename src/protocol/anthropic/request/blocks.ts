import { arrayOf, type JsonObject, objectOf } from "../../openai/fields.ts";

/** Content of a turn or of a tool's result as blocks: a string is one text block. */
export function blocksOf(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return arrayOf(content).map(objectOf);
}

export function isThinkingBlock({ type }: JsonObject): boolean {
  return type === "thinking" || type === "redacted_thinking";
}
