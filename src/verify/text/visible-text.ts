import { isVisible } from "../../protocol/openai/fields.ts";
import type { TextFacts } from "./text-facts.ts";
import { beginsWithLetter } from "./unit-kinds.ts";

const EMPTY_REASONING = /<(think|thinking)>\s*<\/\1>/g;
const OPENING_REASONING = /^[^\p{L}\p{N}]*<think/u;
const INLINE_REASONING = /^\s*<(think|thinking)>[^]*?<\/\1>/;

/** A person would see something other than an empty block of reasoning. */
export function hasText({ is_visible, whole }: Pick<TextFacts, "is_visible" | "whole">): boolean {
  if (!is_visible || whole === null || !opensWithReasoning(whole)) return is_visible;
  return isVisible(whole.replace(EMPTY_REASONING, ""));
}

/** The tag of reasoning stands before anything that is read. */
function opensWithReasoning(text: string): boolean {
  return !beginsWithLetter(text) && OPENING_REASONING.test(text);
}

/** The text behind the reasoning that an endpoint writes before it. */
export function withoutReasoning(text: string): string {
  return text.replace(INLINE_REASONING, "");
}
