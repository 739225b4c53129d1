import type { LanguageScores } from "../../verify/language/detector.ts";
import { judgeLanguage } from "../../verify/language/judge-language.ts";
import type { Language } from "../../verify/language/language.ts";
import type { Verdict } from "../../verify/verdict.ts";
import { failed, inconclusive, type ProbeVerdict, transport } from "./contract.ts";

interface Expected {
  readonly language: Language;
  readonly scores: LanguageScores;
}

/** Refusing, and saying nothing for a reason, is the business of another contract. */
const SAYS_NOTHING: ReadonlySet<string> = new Set([
  "content_filter",
  "refusal_text",
  "client_capped_empty",
]);

/** Whether an answer came through whole and in the language of the question. */
export function judgeLanguageReply(
  text: string,
  { signature, trips }: Verdict,
  { language, scores }: Expected,
): ProbeVerdict {
  if (signature === "truncated_stream") return transport("stream_interrupted");
  if (signature !== null && trips) return failed(signature);
  if (signature !== null && SAYS_NOTHING.has(signature)) return inconclusive(signature);
  const judged = judgeLanguage(text, language, scores);
  const detected = judged.detected === null ? {} : { detected: judged.detected };
  const reason = judged.result === "pass" ? null : judged.reason;
  return { result: judged.result, reason, ...detected };
}
