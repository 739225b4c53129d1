import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../openai/fields.ts";
import type { ShapingFindings } from "./findings.ts";

/** Google's own word for a call whose signature it cannot have. */
const UNSIGNED = "skip_thought_signature_validator";

interface Signed {
  readonly messages: readonly JsonObject[];
  /** What was signed in earlier turns is not this model's. */
  readonly is_foreign: boolean;
}

/**
 * Gives calls of the current turn that another vendor made what Gemini wants in place of a signature;
 * its own are never touched, unless they turned out to be somebody else's.
 */
export function signCalls({ messages, is_foreign }: Signed, findings: ShapingFindings): void {
  const turn = messages.findLastIndex(({ role }) => role === "user");
  for (const [index, message] of messages.entries()) {
    const calls = arrayOf(message["tool_calls"]).map(objectOf);
    for (const [at, call] of calls.entries()) {
      const isSigned = isFilledText(googleOf(call)["thought_signature"]);
      // Of calls made at once only the first has a signature.
      const isMissing = !isSigned && index > turn && at === 0;
      if (!isMissing && !(isSigned && is_foreign)) continue;
      sign(call, ["messages", index, "tool_calls", at], findings);
    }
  }
}

function googleOf(call: JsonObject): JsonObject {
  return objectOf(objectOf(call["extra_content"])["google"]);
}

function sign(call: JsonObject, path: readonly (string | number)[], findings: ShapingFindings) {
  const extra = call["extra_content"];
  const google = { thought_signature: UNSIGNED };
  if (!isObject(extra)) findings.at(path).set.set("extra_content", { google });
  else if (!isObject(extra["google"])) {
    findings.at([...path, "extra_content"]).set.set("google", google);
  } else {
    findings.at([...path, "extra_content", "google"]).set.set("thought_signature", UNSIGNED);
  }
  findings.note("messages.tool_calls.extra_content");
}
