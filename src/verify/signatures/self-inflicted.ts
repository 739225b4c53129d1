import { excused } from "../verdict.ts";
import type { Signature } from "./signature.ts";

export const selfInflicted: Signature = {
  name: "self_inflicted",
  verdict: "unverifiable",
  confidence: "certain",
  scope: null,
  trips: false,
  rule: "The text has U+FFFD that the upstream's bytes do not have: this router broke it. Raises an alarm.",
  spares: "Everybody else: the router's own fault is nobody's verdict.",
  isEarly: true,
  needsWhole: true,
  judge: ({ text, answer }) =>
    text.characters.replacement > 0 && answer.has_sent_replacement === false
      ? excused("unverifiable")
      : null,
};
