import { CodeFilter } from "../text/code-free.ts";
import type { Script } from "./language.ts";

/** What a judgement rests on; more of the same says no more, and a host may send any amount. */
const MAX_UNITS = 8192;

/** The sentences of an answer, of its start if it is long: what is code, an address, a tag or a mark of emphasis left out. */
export function proseOf(text: string): string {
  const pieces: string[] = [];
  const filter = new CodeFilter((piece) => pieces.push(piece));
  filter.push(text.slice(0, MAX_UNITS));
  filter.end();
  return (
    pieces
      .join("")
      // Letters whose marks come apart from them look like another language's to the detector.
      .normalize("NFC")
      .replaceAll(
        /\bhttps?:\/\/\S+|\bwww\.\S+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}/g,
        " ",
      )
      .replaceAll(/<\/?[\p{L}!][^<>\n]{0,200}>/gu, " ")
      .replaceAll(/[*_#>|]/g, " ")
      .replaceAll(/[ \t]+/g, " ")
  );
}

const SCRIPTS: readonly (readonly [Script, RegExp])[] = [
  ["Latin", /\p{Script=Latin}/gu],
  ["Cyrillic", /\p{Script=Cyrillic}/gu],
  ["Greek", /\p{Script=Greek}/gu],
  ["Arabic", /\p{Script=Arabic}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu],
  ["Devanagari", /\p{Script=Devanagari}/gu],
  ["Han", /\p{Script=Han}/gu],
  // The mark of a long vowel belongs to both kana, so Unicode gives it to neither.
  ["Kana", /[\p{Script=Hiragana}\p{Script=Katakana}ー]/gu],
  ["Hangul", /\p{Script=Hangul}/gu],
  ["Thai", /\p{Script=Thai}/gu],
  ["Lao", /\p{Script=Lao}/gu],
  ["Georgian", /\p{Script=Georgian}/gu],
  ["Armenian", /\p{Script=Armenian}/gu],
  ["Ethiopic", /\p{Script=Ethiopic}/gu],
  ["Bengali", /\p{Script=Bengali}/gu],
  ["Gujarati", /\p{Script=Gujarati}/gu],
  ["Gurmukhi", /\p{Script=Gurmukhi}/gu],
  ["Tamil", /\p{Script=Tamil}/gu],
  ["Telugu", /\p{Script=Telugu}/gu],
  ["Kannada", /\p{Script=Kannada}/gu],
  ["Malayalam", /\p{Script=Malayalam}/gu],
  ["Oriya", /\p{Script=Oriya}/gu],
];

/** Letters of a text, vowel signs included, by their writing. */
export interface LetterCounts {
  readonly total: number;
  readonly by_script: ReadonlyMap<Script, number>;
}

export function countLetters(text: string): LetterCounts {
  const by_script = new Map<Script, number>();
  let total = 0;
  for (const [script, pattern] of SCRIPTS) {
    const count = text.match(pattern)?.length ?? 0;
    if (count > 0) by_script.set(script, count);
    total += count;
  }
  return { total, by_script };
}

/** Share of the letters that are of one of these writings; 0 of a text without letters. */
export function shareOf({ total, by_script }: LetterCounts, scripts: readonly Script[]): number {
  if (total === 0) return 0;
  return scripts.reduce((sum, script) => sum + (by_script.get(script) ?? 0), 0) / total;
}

/** The writing of most letters; null if there are none. */
export function mainScript({ by_script }: LetterCounts): Script | null {
  return [...by_script].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

/** A stretch of whole sentences. */
export interface TextWindow {
  readonly text: string;
  readonly letters: number;
}

const SENTENCE = /[^.!?…。！？।؟\n]*[.!?…。！？।؟\n]*/gu;
/** A text without sentence marks, as Thai is, is cut at blanks from so many units on. */
const LONG_SENTENCE = 240;

/** Sentences, joined until each window has at least `least` letters; a short rest joins the last one. */
export function windowsOf(text: string, least: number): readonly TextWindow[] {
  const windows: TextWindow[] = [];
  let open = "";
  let rest = 0;
  for (const sentence of sentencesOf(text)) {
    open += sentence;
    rest += countLetters(sentence).total;
    if (rest < least) continue;
    windows.push({ text: open, letters: rest });
    open = "";
    rest = 0;
  }
  const last = windows.pop();
  if (last === undefined) return rest === 0 ? [] : [{ text: open, letters: rest }];
  return [...windows, { text: last.text + open, letters: last.letters + rest }];
}

function sentencesOf(text: string): readonly string[] {
  const sentences = text.match(SENTENCE) ?? [];
  return sentences.flatMap((sentence) =>
    sentence.length <= LONG_SENTENCE
      ? [sentence]
      : (sentence.match(/[^]{1,120}(?:\s|$)|[^]{1,120}/gu) ?? []),
  );
}

export function lettersOf(windows: readonly { readonly letters: number }[]): number {
  return windows.reduce((sum, { letters }) => sum + letters, 0);
}
