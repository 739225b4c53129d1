import type { LanguageScores } from "./detector.ts";
import { groupOf, type Language } from "./language.ts";
import { type TextWindow, windowsOf } from "./prose.ts";

/** How well a text fits the expected language, against the best of all others. */
export interface Fit {
  /** Best score of another group less the best of the expected one: above 0, another language fits better. */
  readonly margin: number;
  /** The language that fits best outside of the group; null if none fits at all. */
  readonly rival: string | null;
  /** The language that fits best within it. */
  readonly nearest: string | null;
}

/** The detector reads no further than some 350 bytes of a text. */
const PIECE_LETTERS = 110;

/** Fits a text of any length, piece by piece, each with the weight of its letters. */
export function fitText(text: string, language: Language, scores: LanguageScores): Fit {
  const pieces = windowsOf(text, PIECE_LETTERS);
  const total = pieces.reduce((sum, { letters }) => sum + letters, 0);
  const sums: Record<string, number> = {};
  for (const piece of pieces) {
    for (const [name, score] of Object.entries(scores(piece.text))) {
      sums[name] = (sums[name] ?? 0) + (score * piece.letters) / total;
    }
  }
  return fitOf(sums, language);
}

export function fitWindow(window: TextWindow, language: Language, scores: LanguageScores): Fit {
  return fitOf(scores(window.text), language);
}

function fitOf(scores: Readonly<Record<string, number>>, { detector }: Language): Fit {
  const group = detector === null ? null : groupOf(detector);
  const ranked = Object.entries(scores).toSorted((a, b) => b[1] - a[1]);
  const rival = ranked.find(([name]) => groupOf(name) !== group);
  const nearest = ranked.find(([name]) => groupOf(name) === group);
  return {
    margin: (rival?.[1] ?? 0) - (nearest?.[1] ?? 0),
    rival: rival?.[0] ?? null,
    nearest: nearest?.[0] ?? null,
  };
}
