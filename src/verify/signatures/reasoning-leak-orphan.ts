import { excused, fault } from "../verdict.ts";
import { isAboutTags } from "./reasoning-leak.ts";
import type { Signature } from "./signature.ts";

export const reasoningLeakOrphan: Signature = {
  name: "reasoning_leak_orphan",
  verdict: "leak",
  confidence: "high",
  scope: "target",
  trips: true,
  rule: "`</think>` outside of code that no `<think>` opened: the reasoning before it was taken for text.",
  spares:
    "Endpoints that declare inline reasoning; prompts that have the tags or ask about them; code; tags named " +
    "within a sentence (`suspect`).",
  isEarly: true,
  needsWhole: true,
  judge(output) {
    const { has_orphan_reasoning: isLeak, names_orphan_reasoning: isNamed } = output.text.plain;
    if (!(isLeak || isNamed) || isAboutTags(output)) return null;
    return isLeak ? fault("leak", "target") : excused("suspect");
  },
};
