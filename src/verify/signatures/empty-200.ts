import { isVisible } from "../../protocol/openai/fields.ts";
import { explainSilence } from "../empty.ts";
import { hasText, withoutReasoning } from "../text/visible-text.ts";
import { fault } from "../verdict.ts";
import { isBrokenOff, isSilent, type Output, type Signature } from "./signature.ts";

export const empty200: Signature = {
  name: "empty_200",
  verdict: "malformed",
  confidence: "certain",
  scope: "target",
  trips: true,
  rule:
    "A finished answer without a visible character (blanks, zero-width characters and an empty " +
    "reasoning block are none), tool call, refusal or media. Also one that only reasoned and then " +
    "stopped, and one cut by `length` far below the client's cap.",
  spares:
    "Tool turns, a lone `.` or emoji, filtered answers, answers capped by the client, silence after a " +
    "tool result for which tokens were spent, reasoning cut by `length`.",
  isEarly: false,
  needsWhole: false,
  judge(output) {
    if (isBrokenOff(output)) return null;
    if (isOnlyInlineReasoning(output)) return fault("malformed", "target", "reasoning only");
    if (!isSilent(output)) return null;
    switch (silenceOf(output)) {
      case "faulty":
        return fault("malformed", "target", "empty response");
      case "reasoning_only":
        return fault("malformed", "target", "reasoning only");
      default:
        return null;
    }
  },
};

/** Why nothing was said. */
export function silenceOf({ answer, request }: Output) {
  const { max_tokens, is_after_tool_result } = request;
  return explainSilence({ ...answer, max_tokens, is_after_tool_result });
}

/** Where an endpoint writes its reasoning into the text, reasoning alone is no answer either. */
function isOnlyInlineReasoning(output: Output): boolean {
  const { text, answer, request } = output;
  if (!request.has_inline_reasoning || text.whole === null || answer.has_tool_calls) return false;
  const rest = withoutReasoning(text.whole);
  if (rest === text.whole || !hasText(text)) return false;
  const left = { is_visible: isVisible(rest), whole: rest };
  return !hasText(left) && silenceOf(output) !== "capped";
}
