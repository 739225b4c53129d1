import { memoize } from "../../lib/memoize.ts";
import { type JsonJudgement, judgeJson } from "../structured/judge-json.ts";
import { hasText, withoutReasoning } from "../text/visible-text.ts";
import { finishOf, type Output } from "./signature.ts";

/** Ends that explain why a promised JSON is incomplete. */
const CUT = new Set(["length", "content_filter"]);

/** How the output keeps `response_format`; null where it need not, or cannot be told. Worked out once. */
export function structuredAnswer(output: Output): JsonJudgement | null {
  return output.request.format === null ? null : judgeOnce(output);
}

const judgeOnce = memoize((output: Output): JsonJudgement | null => {
  const { text, answer, request } = output;
  if (request.format === null || text.whole === null || !hasText(text)) return null;
  if (answer.has_tool_calls || CUT.has(finishOf(output) ?? "")) return null;
  const shown = request.has_inline_reasoning ? withoutReasoning(text.whole) : text.whole;
  return judgeJson(shown, request.format);
});
