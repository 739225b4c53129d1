import { fault } from "../verdict.ts";
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
    "Endpoints that declare inline reasoning; prompts that have the tags or ask about them; code.",
  isEarly: true,
  needsWhole: true,
  judge: (output) =>
    output.text.plain.has_orphan_reasoning && !isAboutTags(output) ? fault("leak", "target") : null,
};
