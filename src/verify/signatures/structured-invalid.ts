import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";
import { structuredAnswer } from "./structured-answer.ts";

export const structuredInvalid: Signature = {
  name: "structured_invalid",
  verdict: "malformed",
  confidence: "certain",
  scope: "target",
  trips: true,
  rule: "The client sent `response_format`, and the output is no JSON. Nothing is repaired before judging.",
  spares: "Answers cut by `length` or a filter; tool turns; empty answers, which are `empty_200`.",
  isEarly: false,
  needsWhole: true,
  judge: (output) =>
    structuredAnswer(output)?.kind === "invalid" ? fault("malformed", "target") : null,
};
