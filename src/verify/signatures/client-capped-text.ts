import { excused } from "../verdict.ts";
import { isCut, isSilent, type Signature } from "./signature.ts";

export const clientCappedText: Signature = {
  name: "client_capped_text",
  verdict: "client_capped",
  confidence: "certain",
  scope: null,
  trips: false,
  rule: "The text was cut by `length`.",
  spares: "Nobody is blamed for a cap.",
  isEarly: false,
  needsWhole: true,
  judge: (output) => (isCut(output) && !isSilent(output) ? excused("client_capped") : null),
};
