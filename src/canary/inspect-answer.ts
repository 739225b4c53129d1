import { type JsonObject, objectOf } from "../protocol/openai/fields.ts";
import {
  type InspectedOutput,
  type UnreadableOutput,
  verifyOutput,
} from "../verify/inspect-output.ts";
import type { LanguageScores } from "../verify/language/detector.ts";
import { unknownLanguage } from "../verify/language/inspect-language.ts";
import { judgeLanguage } from "../verify/language/judge-language.ts";
import { findLanguage } from "../verify/language/language.ts";

/** As other outputs are answered, with what only the language of an answer can show. */
export type InspectedAnswer = Omit<InspectedOutput, "verdict"> & {
  readonly verdict: InspectedOutput["verdict"] | "language_drift" | "code_mixing" | "inconclusive";
};

/** Whether a line of `inspect output` is an answer to a probe of the canary. */
export function isProbeAnswer(line: JsonObject): boolean {
  return objectOf(line["extra"])["mode"] === "canary";
}

/**
 * Judges an answer to a probe: as any output, and against `extra.expected_lang`. What the router's
 * signatures count as a bad event comes first.
 */
export function inspectAnswer(
  line: JsonObject,
  scores: LanguageScores,
): InspectedAnswer | UnreadableOutput {
  const output = verifyOutput(line);
  if ("error" in output || output.trips) return output;
  const tag = objectOf(line["extra"])["expected_lang"];
  if (tag === undefined || tag === null) return output;
  const { id } = output;
  if (typeof tag !== "string")
    return { id, error: "`extra.expected_lang` must be a string or null" };
  const language = findLanguage(tag);
  if (language === undefined) {
    return { id, error: `\`extra.expected_lang\`: ${unknownLanguage(tag)}` };
  }
  const judged = judgeLanguage(completionOf(line), language, scores);
  const signature = judged.result === "pass" ? null : judged.reason;
  if (judged.result === "fail") {
    const verdict = judged.reason === "code_mixing" ? "code_mixing" : "language_drift";
    return { id, verdict, signature, attributable: true, trips: true, scope: "target" };
  }
  const verdict = judged.result === "pass" ? "ok" : judged.result;
  return { id, verdict, signature, attributable: false, trips: false, scope: null };
}

/** `verifyOutput` has seen to it that what is there can be read. */
function completionOf({ completion, completion_b64: encoded }: JsonObject): string {
  if (typeof encoded === "string") return new TextDecoder().decode(Uint8Array.fromBase64(encoded));
  return typeof completion === "string" ? completion : "";
}
