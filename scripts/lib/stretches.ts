import { countLetters } from "../../src/verify/language/prose.ts";

/** Paragraphs cut into stretches of about so many letters, at blanks where there are any; the rest is left out. */
export function stretches(paragraphs: readonly string[], letters: number): readonly string[] {
  const pieces = paragraphs.flatMap((text) =>
    text.split(/(?<=\s)|(?<=[\u3040-\u9fff\u0e00-\u0e7f])/u),
  );
  const found: string[] = [];
  let open: string[] = [];
  let count = 0;
  for (const piece of pieces) {
    open.push(piece);
    count += countLetters(piece).total;
    if (count < letters) continue;
    found.push(open.join("").trim());
    open = [];
    count = 0;
  }
  return found;
}

/** Expected language, and the relative that may come in its place. */
export const CLOSE_PAIRS = [
  ["pt", "es"],
  ["es", "pt"],
  ["sv", "da"],
  ["da", "sv"],
  ["cs", "sk"],
  ["sk", "cs"],
  ["it", "es"],
  ["de", "nl"],
  ["ru", "uk"],
  ["uk", "ru"],
] as const;
