/** Edit distance with adjacent swaps counted as one (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const cost = left[row - 1] === right[column - 1] ? 0 : 1;
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + cost,
      );
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? best) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}

/** Longer strings are not worth the quadratic cost: nobody mistypes a name by 200 characters. */
const MAX_LENGTH = 128;

/** Beyond this a name shares next to nothing with another. */
const FARTHEST = 0.7;

/** Up to here it is likely that one was meant by the other: a slip in every third character. */
const LIKELY = 0.35;

/** The `count` known names closest to `name`, nearest first; names that share nothing are left out. */
export function nearestNames(name: string, known: Iterable<string>, count = 5): string[] {
  return ranked(name, known, FARTHEST)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** The one known name that `name` is probably a slip of, for a "did you mean". */
export function likelyName(name: string, known: Iterable<string>): string | undefined {
  return ranked(name, known, LIKELY)[0]?.candidate;
}

function ranked(name: string, known: Iterable<string>, farthest: number) {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase();
  return [...new Set(known)]
    .map((candidate) => ({ candidate, rank: rankOf(wanted, candidate.toLowerCase()) }))
    .filter(({ rank }) => rank <= farthest)
    .toSorted((a, b) => a.rank - b.rank || a.candidate.localeCompare(b.candidate));
}

/** 0 for the same name, 1 for one with nothing in common; one that holds or begins like the other is close. */
function rankOf(wanted: string, candidate: string): number {
  const short = candidate.slice(0, MAX_LENGTH);
  const longest = Math.max(wanted.length, short.length, 1);
  const distance = editDistance(wanted, short) / longest;
  const contained = wanted.length > 2 && (short.includes(wanted) || wanted.includes(short));
  if (contained) return Math.min(distance, 0.3);
  return beginsAlike(wanted, short) ? Math.min(distance, LIKELY) : distance;
}

/** As `windows` and `window_tokens` do: all but the end of the shorter one. */
function beginsAlike(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length);
  let shared = 0;
  while (shared < shorter && left[shared] === right[shared]) shared++;
  return shared >= 4 && shared >= shorter * 0.8;
}
