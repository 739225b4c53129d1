import type { LanguageScores } from "../../verify/language/detector.ts";
import { judgeLanguage } from "../../verify/language/judge-language.ts";
import type { Language } from "../../verify/language/language.ts";
import type { Verdict } from "../../verify/verdict.ts";
import type { AnsweredReply } from "../probes/reply.ts";
import { failed, inconclusive, type ProbeVerdict, transport } from "./contract.ts";
import { refusalIn, saidIn } from "./refusal.ts";

interface Expected {
  readonly language: Language;
  readonly scores: LanguageScores;
}

const CAPPED = "client_capped_empty";

/** Whether an answer came through whole and in the language of the question. */
export function judgeLanguageReply(
  reply: AnsweredReply,
  { signature, trips }: Verdict,
  { language, scores }: Expected,
): ProbeVerdict {
  if (signature === "truncated_stream") return transport("stream_interrupted");
  if (signature !== null && trips) return failed(signature);
  // Refusing, and saying nothing for a reason, is the business of another contract.
  const silent = signature === CAPPED ? signature : refusalIn(reply);
  if (silent !== null) return inconclusive(silent);
  const judged = judgeLanguage(saidIn(reply), language, scores);
  const detected = judged.detected === null ? {} : { detected: judged.detected };
  const reason = judged.result === "pass" ? null : judged.reason;
  return { result: judged.result, reason, ...detected };
}
