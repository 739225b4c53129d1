/**
 * A simulated token: a word with the blanks before it. Long words and long blanks are split so that
 * no token grows with the text; code points are never split.
 */
const TOKEN = /\s{0,16}\S{1,24}|\s{1,16}/gu;

/** Tokens whose concatenation is `text` again, lone surrogates included. */
export function* splitTokens(text: string): Generator<string> {
  for (const [token] of text.matchAll(TOKEN)) yield token;
}

export function countTokens(text: string): number {
  let count = 0;
  for (const _ of splitTokens(text)) count++;
  return count;
}

export interface Limits {
  /** Null has no limit. */
  readonly max_tokens: number | null;
  readonly stop: readonly string[];
}

/** What ended a text: its own end or a stop sequence, or the token limit. */
export type TextEnd = "stop" | "length";

/** The tokens up to the first stop sequence (left out) or the limit. */
export function* limitTokens(
  tokens: Iterable<string>,
  limits: Limits,
): Generator<string, TextEnd, undefined> {
  let end: TextEnd = "stop";
  const first = firstTokens(tokens, limits.max_tokens ?? Infinity, () => (end = "length"));
  yield* untilStop(first, limits.stop);
  return end;
}

/** The first `count` tokens; `onCut` is called if there was a further one. */
function* firstTokens(tokens: Iterable<string>, count: number, onCut: () => void) {
  let left = count;
  for (const token of tokens) {
    if (left-- <= 0) {
      onCut();
      return;
    }
    yield token;
  }
}

/** Holds back the last characters as long as they may be the beginning of a stop sequence. */
function* untilStop(tokens: Iterable<string>, stop: readonly string[]): Generator<string> {
  if (stop.length === 0) {
    yield* tokens;
    return;
  }
  const longest = Math.max(...stop.map((sequence) => sequence.length));
  let held = "";
  for (const token of tokens) {
    held += token;
    const end = firstOf(held, stop);
    if (end >= 0) {
      yield* nonEmpty(held.slice(0, end));
      return;
    }
    const ready = safeLength(held, held.length - longest + 1);
    yield* nonEmpty(held.slice(0, ready));
    held = held.slice(ready);
  }
  yield* nonEmpty(held);
}

function firstOf(text: string, sequences: readonly string[]): number {
  const found = sequences.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** At most `length` units, one less where that would split a surrogate pair. */
function safeLength(text: string, length: number): number {
  if (length <= 0) return 0;
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last < 0xdc00 ? length - 1 : length;
}

function* nonEmpty(text: string): Generator<string> {
  if (text !== "") yield text;
}
