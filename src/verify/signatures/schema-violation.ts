import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";
import { structuredAnswer } from "./structured-answer.ts";

export const schemaViolation: Signature = {
  name: "schema_violation",
  verdict: "malformed",
  confidence: "certain",
  scope: "target",
  trips: true,
  rule:
    "The output is JSON but breaks the schema of `response_format`; under `json_object`, is no object. " +
    "The detail is the keyword that it breaks.",
  spares:
    "`pattern`, `format` and `uniqueItems`, which are not judged; schemas with references that lead " +
    "nowhere or that would take too long. Values are not judged but for `enum` and `const`.",
  isEarly: false,
  needsWhole: true,
  judge(output) {
    const judged = structuredAnswer(output);
    return judged?.kind === "violates" ? fault("malformed", "target", judged.keyword) : null;
  },
};
