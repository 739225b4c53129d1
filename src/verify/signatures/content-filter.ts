import { diagnostic } from "../verdict.ts";
import { finishOf, type Output, type Signature } from "./signature.ts";

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
  judge: (output) => (isFiltered(output) ? diagnostic("refusal", "target") : null),
};

/** The answer itself says that it was withheld. */
export function isFiltered(output: Pick<Output, "answer">): boolean {
  return output.answer.has_refusal || finishOf(output) === "content_filter";
}
