/** Uniform in [0, 1). Pure code takes one as a parameter so that tests can pin it. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

const TWO_TO_32 = 2 ** 32;

/** The numbers that follow from `seed`, an integer below 2^32: the same each time (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / TWO_TO_32;
  };
}

/** A seed for `seededRandom`. */
export function seedFrom(random: Random): number {
  return Math.floor(random() * TWO_TO_32);
}
