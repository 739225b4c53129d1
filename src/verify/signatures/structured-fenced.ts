import { diagnostic, fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";
import { structuredAnswer } from "./structured-answer.ts";

export const structuredFenced: Signature = {
  name: "structured_fenced",
  verdict: "malformed",
  confidence: "certain",
  scope: "target",
  trips: true,
  rule:
    "The client sent `response_format`, and the output is JSON only without a code fence around it. " +
    "Counts under `json_schema`, is a note under `json_object`.",
  spares: "Blanks around JSON; requests without `response_format`; cut answers.",
  isEarly: false,
  needsWhole: true,
  judge(output) {
    if (structuredAnswer(output)?.kind !== "fenced") return null;
    const isStrict = output.request.format?.kind === "json_schema";
    return isStrict ? fault("malformed", "target") : diagnostic("malformed", "target");
  },
};
