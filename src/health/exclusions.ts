import type { Target } from "../address/target.ts";
import { subjectKey, subjectKeysOf } from "./scope.ts";

/** Who shut a target out: a release or the config for good, or a person at run time. */
export type ExclusionSource = "shipped" | "config" | "operator";

/** Something that is never used, until somebody says otherwise. */
export interface Exclusion {
  readonly id: string;
  readonly scope: "provider" | "target";
  /** Instance name or target key. */
  readonly subject: string;
  /** For people, shown by `explain`. */
  readonly reason: string;
  readonly source: ExclusionSource;
  /** Epoch ms; null for what came with a release or a file. */
  readonly created_at: number | null;
  /** Epoch ms it ends by itself at; null lasts. */
  readonly until_at: number | null;
}

/** Exclusions by what they shut out. */
export type ExclusionIndex = ReadonlyMap<string, readonly Exclusion[]>;

export function indexExclusions(exclusions: readonly Exclusion[]): ExclusionIndex {
  return Map.groupBy(exclusions, ({ subject }) => subjectKey(subject));
}

/** All exclusions in force that a target falls under. */
export function exclusionsOf(
  target: Pick<Target, "instance" | "model">,
  index: ExclusionIndex,
  now: number,
): readonly Exclusion[] {
  if (index.size === 0) return [];
  return subjectKeysOf(target)
    .flatMap((key) => index.get(key) ?? [])
    .filter((exclusion) => isInForce(exclusion, now));
}

export function isInForce({ until_at }: Pick<Exclusion, "until_at">, now: number): boolean {
  return until_at === null || now < until_at;
}
