import { excused } from "../verdict.ts";
import { isCut, type Signature } from "./signature.ts";

export const clientCappedTool: Signature = {
  name: "client_capped_tool",
  verdict: "client_capped",
  confidence: "certain",
  scope: null,
  trips: false,
  rule: "A tool turn was cut by `length`.",
  spares: "Broken arguments with another finish are `tool_json_invalid`.",
  isEarly: false,
  needsWhole: true,
  judge: (output) =>
    output.answer.has_tool_calls && isCut(output) ? excused("client_capped") : null,
};
