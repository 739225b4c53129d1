/** Uniform in [0, 1). Pure code takes one as a parameter so that tests can pin it. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();
