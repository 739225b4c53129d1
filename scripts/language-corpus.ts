/**
 * Holds texts of known language against the rule that judges answers, and prints how often it fails what
 * is sound and misses what is not: the Universal Declaration of Human Rights, or a corpus of your own, JSON
 * lines `{"lang":"pt","text":"…"}` with paragraphs of prose.
 *
 *   bun scripts/language-corpus.ts [CORPUS.jsonl] [--words]
 *
 * `--words` lists the function words that clean text of one language has of another, worst first.
 */
import { parseArgs } from "node:util";

import { loadLanguageScores } from "../src/verify/language/detector.ts";
import { foreignWords } from "../src/verify/language/function-words.ts";
import { judgeLanguage } from "../src/verify/language/judge-language.ts";
import type { LanguageJudgement } from "../src/verify/language/judgement.ts";
import { findLanguage, type Language } from "../src/verify/language/language.ts";
import { CLOSE_PAIRS, stretches } from "./lib/stretches.ts";
import { declarations, type Paragraph } from "./lib/udhr.ts";

const { values, positionals } = parseArgs({
  options: { words: { type: "boolean" } },
  allowPositionals: true,
});
const [file] = positionals;
const scores = await loadLanguageScores();
const paragraphs = file === undefined ? await declarations() : await paragraphsOf(file);
const corpus = Map.groupBy(paragraphs, ({ lang }) => lang);

async function paragraphsOf(path: string): Promise<readonly Paragraph[]> {
  const lines = (await Bun.file(path).text()).trim().split("\n");
  return lines.map((line): Paragraph => JSON.parse(line));
}

const stretchesIn = (lang: string, letters: number) =>
  stretches(
    (corpus.get(lang) ?? []).map(({ text }) => text),
    letters,
  );

function languageOf(tag: string): Language {
  const language = findLanguage(tag);
  if (language === undefined) throw new Error(`the corpus has \`${tag}\`, which is not known`);
  return language;
}

const tally = (texts: readonly string[], language: Language) => {
  const results = texts.map((text) => judgeLanguage(text, language, scores));
  const share = (result: LanguageJudgement["result"]) =>
    results.filter((judged) => judged.result === result).length / Math.max(1, results.length);
  return { fail: share("fail"), inconclusive: share("inconclusive"), results };
};

const percent = (share: number) => `${(100 * share).toFixed(1).padStart(5)} %`;

function printClean(letters: number): void {
  console.log(`\nRight language, ${letters} letters: failed, abstained, texts`);
  let [failed, texts] = [0, 0];
  for (const lang of corpus.keys()) {
    const pieces = stretchesIn(lang, letters);
    const { fail, inconclusive, results } = tally(pieces, languageOf(lang));
    failed += Math.round(fail * pieces.length);
    texts += pieces.length;
    console.log(`  ${lang.padEnd(8)}${percent(fail)} ${percent(inconclusive)}  ${pieces.length}`);
    for (const [at, judged] of results.entries()) {
      if (judged.result === "fail") {
        console.log(`      ${judged.reason} ${judged.detected}: ${pieces[at]?.slice(0, 90)}`);
      }
    }
  }
  console.log(`  all     ${percent(failed / texts)} of ${texts}`);
}

/** Relatives that share too much to be told apart well. */
const WEAK_PAIRS = [
  ["ru", "bg"],
  ["hi", "mr"],
] as const;

function printWrong(letters: number): void {
  console.log(`\nWrong language, ${letters} letters, expected <- came: caught, abstained, texts`);
  const english = [...corpus.keys()].filter((lang) => lang !== "en").map((lang) => [lang, "en"]);
  const caught = [...CLOSE_PAIRS, ...WEAK_PAIRS, ...english].map(([expected = "", came = ""]) => {
    const pieces = stretchesIn(came, letters);
    const { fail, inconclusive } = tally(pieces, languageOf(expected));
    console.log(
      `  ${`${expected} <- ${came}`.padEnd(14)}${percent(fail)} ${percent(inconclusive)}  ${pieces.length}`,
    );
    return fail;
  });
  const close = caught.slice(0, CLOSE_PAIRS.length);
  const sum = close.reduce((all, share) => all + share, 0) / close.length;
  console.log(`  mean of the close pairs ${percent(sum)}`);
}

const MIXES = [
  ["pt", "es"],
  ["es", "pt"],
  ["it", "es"],
  ["de", "en"],
  ["nl", "de"],
  ["tl", "en"],
  ["da", "sv"],
  ["ru", "uk"],
  ["cs", "sk"],
  ["fr", "en"],
  ["ja", "en"],
  ["pl", "en"],
] as const;

/** Every third sentence-like stretch is foreign. */
function printMixed(): void {
  console.log("\n2 of 6 stretches of 60 letters foreign, language+foreign: caught, texts");
  for (const [base = "", foreign = ""] of MIXES) {
    const own = stretchesIn(base, 60);
    const theirs = stretchesIn(foreign, 60);
    const texts = Array.from(
      { length: Math.floor(Math.min(own.length / 4, theirs.length / 2)) },
      (_, at) =>
        [
          ...own.slice(at * 4, at * 4 + 2),
          theirs[at * 2],
          ...own.slice(at * 4 + 2, at * 4 + 4),
          theirs[at * 2 + 1],
        ].join(". "),
    );
    console.log(
      `  ${`${base}+${foreign}`.padEnd(8)}${percent(tally(texts, languageOf(base)).fail)}  ${texts.length}`,
    );
  }
}

function printWords(): void {
  for (const [lang, texts] of corpus) {
    const { detector } = languageOf(lang);
    if (detector === null) continue;
    const all = texts.map(({ text }) => text).join(" ");
    const words = foreignWords(all, detector).toSorted((a, b) => b.share - a.share);
    console.log(
      lang,
      words
        .slice(0, 4)
        .map((w) => `${w.language} ${w.foreign} ${percent(w.share)}`)
        .join(", "),
    );
  }
}

if (values.words) printWords();
else {
  for (const letters of [100, 150, 300]) printClean(letters);
  printWrong(100);
  printMixed();
}
