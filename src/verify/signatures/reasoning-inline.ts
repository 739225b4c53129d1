import { excused } from "../verdict.ts";
import type { Signature } from "./signature.ts";

export const reasoningInline: Signature = {
  name: "reasoning_inline",
  verdict: "ok",
  confidence: "certain",
  scope: null,
  trips: false,
  rule: "Reasoning tags in the text of an endpoint that declares to write its reasoning there.",
  spares: "A note, no fault: it never hides another finding that counts.",
  isEarly: false,
  needsWhole: true,
  judge: ({ text: { plain }, request }) =>
    request.has_inline_reasoning && (plain.opens_reasoning || plain.has_orphan_reasoning)
      ? excused("ok")
      : null,
};
