import { excused } from "../verdict.ts";
import { silenceOf } from "./empty-200.ts";
import { isBrokenOff, isSilent, type Signature } from "./signature.ts";

export const clientCappedEmpty: Signature = {
  name: "client_capped_empty",
  verdict: "client_capped",
  confidence: "certain",
  scope: null,
  trips: false,
  rule:
    "Nothing visible, and the client's cap explains it: `length` with at least 90 % of the cap used " +
    "(80 % on reasoning), with reasoning shown, or without usage; or a cap of one token.",
  spares: "`length` claimed far below the cap, or with no token spent, is `empty_200`.",
  isEarly: false,
  needsWhole: true,
  judge: (output) =>
    isSilent(output) && !isBrokenOff(output) && silenceOf(output) === "capped"
      ? excused("client_capped")
      : null,
};
