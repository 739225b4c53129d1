import { excused, fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const TOKEN = /<\||<｜|\[\/?INST\]|<<\/?SYS>>|<\/?s>|_of_turn>/;

export const chatTemplateLeak: Signature = {
  name: "chat_template_leak",
  verdict: "leak",
  confidence: "high",
  scope: "target",
  trips: true,
  rule:
    "A token of a chat template outside of code: `<|im_end|>` and any other `<|word|>`, `<｜…｜>`, `[INST]`, " +
    "`<end_of_turn>`, or `</s>` at the end of a line or of the output.",
  spares:
    "Tokens in code; `<s>…</s>` as HTML; `a <| b |> c`; tokens named within a sentence or in quotes, and prompts " +
    "that have them or ask about templates (`suspect`).",
  isEarly: true,
  needsWhole: true,
  judge({ text: { plain }, prompt }) {
    const hasEnd = plain.has_end_token && !prompt.asksFor("html");
    const isLeak = plain.has_template_token || hasEnd;
    if (!isLeak && !plain.names_template_token) return null;
    const isAsked = prompt.asksFor("template_tokens") || prompt.mentions(TOKEN);
    return isLeak && !isAsked ? fault("leak", "target") : excused("suspect");
  },
};
