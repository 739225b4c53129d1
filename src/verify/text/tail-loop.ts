/** A text's last characters repeat with one period. */
export interface TailLoop {
  readonly period: number;
  /** Whole repeats within the looping end. */
  readonly repeats: number;
  /** Length of the looping end. */
  readonly length: number;
}

export const MIN_LOOP_LENGTH = 200;
const MIN_REPEATS = 5;
/** Of a loop all but the first repeat shows one period earlier: most texts are told by that alone. */
const PROBE = MIN_LOOP_LENGTH - MIN_LOOP_LENGTH / MIN_REPEATS;

/** The longest looping end of `tail`; null if none is long and dense enough. Linear in the tail. */
export function findTailLoop(tail: string): TailLoop | null {
  const { length } = tail;
  if (length < MIN_LOOP_LENGTH || !hasEndBefore(tail)) return null;
  // Borders of the reversed text: the suffix of length n has the period n - border.
  const borders = new Uint16Array(length + 1);
  const unitAt = (index: number) => tail.charCodeAt(length - 1 - index);
  let found: TailLoop | null = null;
  let border = 0;
  for (let at = 1; at < length; at++) {
    while (border > 0 && unitAt(at) !== unitAt(border)) border = borders[border] ?? 0;
    if (unitAt(at) === unitAt(border)) border++;
    const size = at + 1;
    borders[size] = border;
    const period = size - border;
    const repeats = Math.floor(size / period);
    if (size >= MIN_LOOP_LENGTH && repeats >= MIN_REPEATS)
      found = { period, repeats, length: size };
  }
  return found;
}

/** The end of `tail` stands in it once more, at most the longest period earlier. */
function hasEndBefore(tail: string): boolean {
  const end = tail.length - PROBE;
  const longest = Math.floor(tail.length / MIN_REPEATS);
  return tail.indexOf(tail.slice(end), end - longest) < end;
}
