import { excused } from "../verdict.ts";
import { isCut, type Signature } from "./signature.ts";

export const clientCappedJson: Signature = {
  name: "client_capped_json",
  verdict: "client_capped",
  confidence: "certain",
  scope: null,
  trips: false,
  rule: "The client sent `response_format`, and the answer was cut by `length`.",
  spares: "Broken JSON with another finish is `structured_invalid`.",
  isEarly: false,
  needsWhole: true,
  judge: (output) =>
    output.request.format !== null && isCut(output) ? excused("client_capped") : null,
};
