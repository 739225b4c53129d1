import { diagnostic } from "../verdict.ts";
import type { Signature } from "./signature.ts";

export const toolUnknownName: Signature = {
  name: "tool_unknown_name",
  verdict: "malformed",
  confidence: "low",
  scope: "target",
  trips: false,
  rule: "A function call names no function that the request declared.",
  spares: "Requests that declare none: tools may be the upstream's own.",
  isEarly: false,
  needsWhole: true,
  judge: ({ answer, request: { tools } }) =>
    tools.length > 0 && answer.calls.some(({ name }) => !tools.includes(name))
      ? diagnostic("malformed", "target")
      : null,
};
