import type { VerdictName } from "../verify/verdict.ts";
import type { Served } from "./attempt-result.ts";

/** An answer that was not given to the client while another target might do better. */
export interface Aside {
  /** How much is wrong with it; 0 for a proper answer, such as a refusal. */
  readonly harm: number;
  /** Gives it to the client after all; null if it can no longer be had. */
  serve(): Served | null;
  /** Lets go of it; safe to call twice. */
  drop(): void;
}

/** What can still be read comes first: a mark too many before broken letters, before text that goes nowhere. */
const HARM: Partial<Record<VerdictName, number>> = {
  leak: 1,
  mangled: 2,
  degenerate: 3,
  truncated: 4,
  malformed: 5,
};

export function harmOf(verdict: VerdictName): number {
  return HARM[verdict] ?? 1;
}

/** Answers put aside, the best of which is better than none. */
export class Asides {
  #kept: Aside[] = [];

  add(aside: Aside): void {
    this.#kept.push(aside);
  }

  /** Takes the best one out, the first of equals; null if none can be had. */
  takeBest(): Served | null {
    for (const aside of this.#kept.toSorted((a, b) => a.harm - b.harm)) {
      const served = aside.serve();
      if (served === null) continue;
      this.#kept = this.#kept.filter((other) => other !== aside);
      return served;
    }
    return null;
  }

  dropAll(): void {
    for (const aside of this.#kept) aside.drop();
    this.#kept = [];
  }
}
