import { diagnostic } from "../verdict.ts";
import { finishOf, type Signature } from "./signature.ts";

export const contentFilter: Signature = {
  name: "content_filter",
  verdict: "refusal",
  confidence: "certain",
  scope: "target",
  trips: false,
  rule: "The finish reason names a filter, or the answer fills the field `refusal`.",
  spares: "A filter does what it is for: it never counts.",
  isEarly: false,
  needsWhole: true,
  judge: (output) =>
    output.answer.has_refusal || finishOf(output) === "content_filter"
      ? diagnostic("refusal", "target")
      : null,
};
