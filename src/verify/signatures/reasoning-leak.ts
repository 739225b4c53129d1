import { diagnostic } from "../verdict.ts";
import type { Output, Signature } from "./signature.ts";

export const reasoningLeak: Signature = {
  name: "reasoning_leak",
  verdict: "leak",
  confidence: "low",
  scope: "target",
  trips: false,
  rule: "`<think>` in the text outside of code, on an endpoint that does not declare inline reasoning.",
  spares: "Prompts that have the tags or ask about them. Many endpoints do this all the time.",
  isEarly: true,
  needsWhole: true,
  judge: (output) =>
    output.text.plain.opens_reasoning && !isAboutTags(output) ? diagnostic("leak", "target") : null,
};

/** The tags were declared, asked about, or part of the prompt. */
export function isAboutTags({ request, prompt }: Output): boolean {
  return (
    request.has_inline_reasoning ||
    prompt.asksFor("reasoning_tags") ||
    prompt.mentions(/<\/?think|\[\/?THINK\]/i)
  );
}
