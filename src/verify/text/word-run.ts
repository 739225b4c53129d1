/** Words of the closed classes in languages written with ASCII letters: prose is full of them. */
const FUNCTION_WORDS = new Set(
  `a about all an and are as at be been but by can for from had has have he her his i if in into is it its
  me more my no not of on or our she so than that the their them then there they this to up was we were
  what when which who will with would you your
  al como con de del el en es la las le les lo los mas no o para pero por que se sin su un una y
  au aux ce cette dans des du elle est et il je mais ne nous on ou par pas plus pour qui sur une vous
  am auf das dem den der des die ein eine er ich im ist mit nicht sich sie und von war wie zu
  ao as da das do dos e em mais na nas nos os ou pela pelo um uma
  che di gli ha i ma nel non per si sono una
  aan dat een het ik met niet op te van voor zijn
  ang at ay ko ng ni mga na sa si dan di dengan ini itu ke tidak untuk yang kwa ni wa ya za`.split(
    /\s+/,
  ),
);

const WORD = /^[A-Za-z][A-Za-z'’-]*$/;

/** A stretch of bare words on one line, without any punctuation. */
export interface WordRun {
  readonly words: number;
  /** Share of words that occur once or are the first of their kind. */
  readonly distinct: number;
  /** Share of function words. */
  readonly bound: number;
}

const CLOSING = /[\s.!?…]/;
const OF_WORDS = /[A-Za-z'’ -]/;

/** How many characters at the end of `text` may be bare words and blanks; no fewer than those that are. */
export function wordRunLength(text: string): number {
  let end = text.length;
  while (end > 0 && CLOSING.test(text.charAt(end - 1))) end--;
  let start = end;
  while (start > 0 && OF_WORDS.test(text.charAt(start - 1))) start--;
  return end - start;
}

/** The longest run of bare words at the end of `text`; a full stop behind the last is none of it. */
export function lastWordRun(text: string): WordRun {
  const line =
    text
      .trimEnd()
      .split("\n")
      .at(-1)
      ?.replace(/[.!?…]+$/, "") ?? "";
  const tokens = line.split(" ");
  const start = tokens.findLastIndex((token) => token !== "" && !WORD.test(token)) + 1;
  const words = tokens
    .slice(start)
    .filter((token) => token !== "")
    .map((token) => token.toLowerCase());
  const count = Math.max(words.length, 1);
  return {
    words: words.length,
    distinct: new Set(words).size / count,
    bound: words.filter((word) => FUNCTION_WORDS.has(word)).length / count,
  };
}
