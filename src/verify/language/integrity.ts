import { PLAIN_ANSWER } from "../answer-facts.ts";
import { profileOfText } from "../prompt/prompt-profile.ts";
import { BARE_REQUEST } from "../prompt/request-facts.ts";
import { createScanner } from "../scanner.ts";
import { signatureTraits } from "../signatures/table.ts";
import type { LanguageScores } from "./detector.ts";
import { judgeLanguage } from "./judge-language.ts";
import type { LanguageJudgement } from "./judgement.ts";
import type { Language } from "./language.ts";

/** `signature` is that of a broken encoding, such as `mojibake`. */
export type IntegrityJudgement =
  | LanguageJudgement
  | { readonly result: "fail"; readonly reason: "encoding_damage"; readonly signature: string };

/**
 * Whether a text came through whole and in the language it should be in. What was asked must be known to
 * be sound: an answer that repeats a broken prompt is blamed here.
 */
export function judgeIntegrity(
  text: string,
  language: Language,
  scores: LanguageScores,
): IntegrityJudgement {
  const signature = encodingSignature(text);
  if (signature !== null) return { result: "fail", reason: "encoding_damage", signature };
  return judgeLanguage(text, language, scores);
}

function encodingSignature(text: string): string | null {
  const scanner = createScanner({ prompt: profileOfText("", "ascii"), request: BARE_REQUEST });
  scanner.push(text);
  const { signature, trips } = scanner.end(PLAIN_ANSWER).verdict;
  const isBroken = trips && signature !== null && signatureTraits(signature).is_encoding;
  return isBroken ? signature : null;
}
