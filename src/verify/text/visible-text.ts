import { isVisible } from "../../protocol/openai/fields.ts";
import type { TextFacts } from "./text-facts.ts";

const EMPTY_REASONING = /<(think|thinking)>\s*<\/\1>/g;
const INLINE_REASONING = /^\s*<(think|thinking)>[^]*?<\/\1>/;

/** A person would see something other than an empty block of reasoning. */
export function hasText({ is_visible, whole }: TextFacts): boolean {
  return is_visible && (whole === null || isVisible(whole.replace(EMPTY_REASONING, "")));
}

/** The text behind the reasoning that an endpoint writes before it. */
export function withoutReasoning(text: string): string {
  return text.replace(INLINE_REASONING, "");
}
