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

const CLOSING = /[\s.!?…]/;
const STOPS = new Set(".!?…");
const NO_WORD = /[^A-Za-z'’ -]/;

/** `text`, what closes it apart, ends in so many characters of bare words and blanks. */
export function endsInWords(text: string, length: number): boolean {
  if (text.length < length) return false;
  let end = text.trimEnd().length;
  while (end > 0 && CLOSING.test(text.charAt(end - 1))) end--;
  return end >= length && !NO_WORD.test(text.slice(end - length, end));
}

/** The longest run of bare words at the end of `text`, in lower case; a full stop behind it is none of it. */
export function lastWords(text: string): readonly string[] {
  const tokens = lastLine(text).split(" ");
  const start = tokens.findLastIndex((token) => token !== "" && !WORD.test(token)) + 1;
  // One long text is put into lower case much faster than hundreds of words.
  const words = tokens.slice(start).join(" ").toLowerCase().split(" ");
  return words.filter((word) => word !== "");
}

/** Share of words that occur once or are the first of their kind. */
export const distinctShare = (words: readonly string[]): number =>
  new Set(words).size / Math.max(words.length, 1);

/** Share of function words. */
export const boundShare = (words: readonly string[]): number =>
  words.filter((word) => FUNCTION_WORDS.has(word)).length / Math.max(words.length, 1);

/** The last line of `text` without the stops at its end. */
function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (STOPS.has(trimmed.charAt(end - 1))) end--;
  return trimmed.slice(trimmed.lastIndexOf("\n") + 1, end);
}
