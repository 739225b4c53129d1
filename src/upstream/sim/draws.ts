import type { Random } from "../../lib/random.ts";
import type { ParamValues } from "./params.ts";

/** FNV-1a over UTF-16 units: 32 bits, stable across runs. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** A reproducible sequence in [0, 1): Weyl steps through a 32-bit finaliser. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
}

/** Clients choose seeds, so what is remembered per seed needs a limit; the oldest goes first. */
const MAX_SEQUENCES = 1024;

export interface Draws {
  /** Whether this call of `key` fails; counts the call. `params` are those of `GATE`. */
  next(key: string, params: ParamValues): boolean;
  /** The next call of any seed of `key` is its first again. */
  forget(key: string): void;
}

/** Which calls fail: one reproducible sequence for each key and seed. */
export function createDraws(): Draws {
  const sequences = new Map<string, { random: Random; calls: number }>();
  return {
    next(key, params) {
      const name = `${key} ${params.number("seed")}`;
      const sequence = sequences.get(name) ?? { random: seededRandom(hashText(name)), calls: 0 };
      sequences.set(name, sequence);
      if (sequences.size > MAX_SEQUENCES) sequences.delete(sequences.keys().next().value ?? name);
      const draw = sequence.random();
      const failing = ++sequence.calls - params.number("skip");
      const times = params.number("times");
      return failing > 0 && (times === 0 || failing <= times) && draw < params.number("rate");
    },
    forget(key) {
      for (const name of sequences.keys()) {
        if (name.startsWith(`${key} `)) sequences.delete(name);
      }
    },
  };
}
