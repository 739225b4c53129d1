import type { Target } from "../address/target.ts";
import { targetKey } from "../address/target.ts";
import type { Suspension } from "./eligibility.ts";
import { subjectKey } from "./scope.ts";

/** Suspensions of targets that are their own endpoint, by target; some may have ended. */
export type SuspensionIndex = ReadonlyMap<string, Suspension>;

export const NO_SUSPENSIONS: SuspensionIndex = new Map();

export function indexSuspensions(
  suspensions: readonly (Suspension & Pick<Target, "instance" | "model">)[],
): SuspensionIndex {
  return new Map(
    suspensions.map(({ instance, model, detail, until_at }) => [
      subjectKey(targetKey({ instance, model })),
      { detail, until_at },
    ]),
  );
}

const NONE: readonly never[] = [];

/** The suspension that a target is under at `now`, epoch ms. */
export function suspensionsOf(
  target: Pick<Target, "instance" | "model">,
  index: SuspensionIndex,
  now: number,
): readonly Suspension[] {
  if (index.size === 0) return NONE;
  const found = index.get(subjectKey(targetKey(target)));
  const isOver = found === undefined || (found.until_at !== null && found.until_at <= now);
  return isOver ? NONE : [found];
}
