import { fault } from "../verdict.ts";
import { isBrokenOff, type Signature } from "./signature.ts";

export const truncatedStream: Signature = {
  name: "truncated_stream",
  verdict: "truncated",
  confidence: "certain",
  scope: "target",
  trips: true,
  rule: "A stream ended with neither a finish reason nor `[DONE]` while the client was still there.",
  spares:
    "`[DONE]` without a finish reason; a finish reason without `[DONE]`; clients that hung up.",
  isEarly: false,
  needsWhole: true,
  // Models do not break connections, what carries them does.
  widens: true,
  judge: (output) => (isBrokenOff(output) ? fault("truncated", "target") : null),
};
