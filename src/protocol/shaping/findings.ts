import type { Untranslatable } from "../translate/translation.ts";
import { type Change, changeAt, createChange } from "./changes.ts";

/** What shaping has found so far. */
export interface ShapingFindings {
  /** The change of the body; `at` finds the place below. */
  readonly change: Change;
  at(path: readonly (string | number)[]): Change;
  /** Something is put otherwise and nothing is lost; said once however often it occurs. */
  note(path: string): void;
  /** Something is left out, or does nothing. */
  lose(path: string): void;
  refuse(barrier: Untranslatable): void;
  noted(): readonly string[];
  lost(): readonly string[];
  refused(): readonly Untranslatable[];
}

export function createShapingFindings(): ShapingFindings {
  const change = createChange();
  const noted = new Set<string>();
  const lost = new Set<string>();
  const refused: Untranslatable[] = [];
  return {
    change,
    at: (path) => changeAt(change, path),
    note: (path) => void noted.add(path),
    lose: (path) => void lost.add(path),
    refuse: (barrier) => void refused.push(barrier),
    noted: () => [...noted].filter((path) => !lost.has(path)),
    lost: () => [...lost],
    refused: () => refused,
  };
}
