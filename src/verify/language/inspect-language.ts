import type { JsonObject } from "../../protocol/openai/fields.ts";
import type { LanguageScores } from "./detector.ts";
import { judgeIntegrity } from "./integrity.ts";
import { findLanguage, languageCodes, nearestLanguages } from "./language.ts";

/** One answer line of `veriroute inspect language`; what is not known is left out. */
export interface InspectedLanguage {
  readonly id: unknown;
  readonly result: "pass" | "fail" | "inconclusive";
  /** The language that the text seems to be in. */
  readonly detected?: string;
  readonly reason?: string;
}

export interface UnreadableText {
  readonly id: unknown;
  readonly error: string;
}

/** Judges `{id, text, expected}`, where `expected` is a language's tag such as `pt-BR`. */
export function inspectLanguage(
  line: JsonObject,
  scores: LanguageScores,
): InspectedLanguage | UnreadableText {
  const { id = null, text, expected } = line;
  if (typeof text !== "string") return { id, error: "`text` must be a string" };
  if (typeof expected !== "string") {
    return { id, error: "`expected` must be a string such as `pt`" };
  }
  const language = findLanguage(expected);
  if (language === undefined) return { id, error: unknownLanguage(expected) };
  const judged = judgeIntegrity(text, language, scores);
  if (judged.result === "pass") return { id, result: judged.result, ...named(judged.detected) };
  if (judged.reason === "encoding_damage") {
    return { id, result: judged.result, reason: judged.signature };
  }
  return { id, result: judged.result, ...named(judged.detected), reason: judged.reason };
}

const named = (detected: string | null) => (detected === null ? {} : { detected });

/** What is wrong with a language's tag, and what it may have meant. */
export function unknownLanguage(tag: string): string {
  const shown = tag.length > 35 ? `${tag.slice(0, 35)}…` : tag;
  const nearest = nearestLanguages(tag);
  const known =
    nearest.length > 0 ? `did you mean ${nearest.join(", ")}?` : languageCodes().join(" ");
  return `\`${shown}\` is no known language: ${known}`;
}
