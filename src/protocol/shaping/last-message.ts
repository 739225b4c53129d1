import { arrayOf, type JsonObject } from "../openai/fields.ts";
import type { ShapingFindings } from "./findings.ts";
import type { MessageQuirks } from "./quirks.ts";

const MARKS = ["prefix", "partial"] as const;

/** Marks an answer that is to be continued as the vendor does, and ends with whom it wants to hear. */
export function endAsWanted(
  messages: readonly JsonObject[],
  { prefill, ends_with_user }: MessageQuirks,
  findings: ShapingFindings,
): void {
  const index = messages.length - 1;
  const last = messages[index];
  if (last === undefined) return;
  const { role } = last;
  if (ends_with_user && (role === "system" || role === "developer")) {
    findings.at(["messages", index]).set.set("role", "user");
    findings.lose("messages.role");
    return;
  }
  const isBegun = role === "assistant" && arrayOf(last["tool_calls"]).length === 0;
  if (!isBegun || prefill === null || last[prefill] === true) return;
  const other = MARKS.find((mark) => mark !== prefill && last[mark] === true);
  if (other === undefined && !ends_with_user) return;
  const at = findings.at(["messages", index]);
  if (other === undefined) at.set.set(prefill, true);
  else {
    at.remove.add(prefill);
    at.rename.set(other, prefill);
  }
  findings.note(`messages.${prefill}`);
}
