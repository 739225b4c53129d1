import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

export const byteFallback: Signature = {
  name: "byte_fallback",
  verdict: "mangled",
  confidence: "high",
  scope: "target",
  trips: true,
  rule: "Two or more byte tokens such as `<0xF0><0x9F>` side by side outside of code.",
  spares: "Prompts that have byte tokens in them or ask about tokens or hex; code.",
  isEarly: true,
  needsWhole: true,
  judge: ({ text, prompt }) =>
    text.plain.has_byte_tokens && !prompt.asksFor("tokens") && !prompt.mentions(/<0x[0-9a-f]{2}>/i)
      ? fault("mangled", "target")
      : null,
};
