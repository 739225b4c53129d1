import { arrayOf, type JsonObject, objectOf } from "../../openai/fields.ts";
import { blocksOf, isThinkingBlock } from "./blocks.ts";

/**
 * Whether the last turn of the assistant lies within a tool loop or is to be continued, and does not
 * begin with what was thought. With a budget the API refuses that.
 */
export function lacksThinking(messages: readonly unknown[]): boolean {
  const turns = messages.map(objectOf);
  const at = turns.findLastIndex(({ role }) => role === "assistant");
  const turn = turns[at];
  if (!turn) return false;
  const blocks = blocksOf(turn["content"]);
  const isOpen = at === turns.length - 1 || blocks.some(({ type }) => type === "tool_use");
  const [first] = blocks;
  return isOpen && first !== undefined && !isThinkingBlock(first);
}

export function hasThinking(messages: readonly unknown[]): boolean {
  return messages
    .map(objectOf)
    .some(({ content }) => arrayOf(content).map(objectOf).some(isThinkingBlock));
}

/** The turns without anything that was thought; a turn that had nothing else goes too. */
export function withoutThinking(messages: readonly unknown[]): readonly unknown[] {
  return messages.flatMap((message) => {
    const turn = objectOf(message);
    const blocks = arrayOf(turn["content"]).map(objectOf);
    if (!blocks.some(isThinkingBlock)) return [message];
    const content = blocks.filter((block) => !isThinkingBlock(block));
    return content.length === 0 ? [] : [{ ...turn, content } satisfies JsonObject];
  });
}
