import type { Untranslatable } from "../translation.ts";

/** What a translation could not carry over, gathered while it goes. */
export interface Findings {
  /** A member that is left out, by path; said once however often it occurs. */
  lose(path: string): void;
  refuse(param: string, message: string): void;
  lossy(): readonly string[];
  refused(): readonly Untranslatable[];
}

export function createFindings(): Findings {
  const lost = new Set<string>();
  const refused: Untranslatable[] = [];
  return {
    lose: (path) => void lost.add(path),
    refuse: (param, message) => void refused.push({ param, message }),
    lossy: () => [...lost],
    refused: () => refused,
  };
}

/** Whether a member says anything: null and an empty list are as good as absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
