import { excused } from "../verdict.ts";
import type { Signature } from "./signature.ts";

export const clientAborted: Signature = {
  name: "client_aborted",
  verdict: "unverifiable",
  confidence: "certain",
  scope: null,
  trips: false,
  rule: "The client went away before the answer ended.",
  spares: "Whoever stopped listening says nothing about the answer.",
  isEarly: false,
  needsWhole: true,
  judge: ({ answer }) => (answer.is_client_gone ? excused("unverifiable") : null),
};
