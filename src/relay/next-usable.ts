import { isTriable } from "../routing/arrange.ts";
import type { Candidate, Reason } from "../routing/plan.ts";
import type { Instance } from "../upstream/instance.ts";
import type { RelayDependencies } from "./dependencies.ts";

/** A candidate that was never called, and why. */
export interface Benched {
  readonly candidate: Candidate;
  readonly reasons: readonly Reason[];
}

/** A candidate with the instance that it is called at. */
export interface Usable {
  readonly candidate: Candidate;
  readonly instance: Instance;
}

interface Next {
  /** Null if there is none. */
  readonly usable: Usable | null;
  /** Those before it. */
  readonly benched: readonly Benched[];
  /** It and those behind it. */
  readonly left: readonly Candidate[];
}

/** The first that may be called. Asked anew before each attempt: another request may have benched it since. */
export function nextUsable(
  { health, registry }: RelayDependencies,
  candidates: readonly Candidate[],
  { pinned, stream }: { readonly pinned: boolean; readonly stream: boolean },
): Next {
  let benched: Benched[] | undefined;
  let at = 0;
  for (const candidate of candidates) {
    const { member } = candidate;
    const held = isTriable(candidate) ? health.reasons(member, pinned, stream) : candidate.reasons;
    const instance = registry.get(member.instance);
    const reasons = held.length === 0 && !instance ? [REMOVED] : held;
    if (reasons.length === 0 && instance) {
      const left = at === 0 ? candidates : candidates.slice(at);
      return { usable: { candidate, instance }, benched: benched ?? NONE, left };
    }
    benched ??= [];
    benched.push({ candidate, reasons });
    at++;
  }
  return { usable: null, benched: benched ?? NONE, left: NONE };
}

const NONE: readonly never[] = [];

const REMOVED: Reason = {
  layer: 4,
  code: "instance_removed",
  detail: "a reload took its provider away",
  until_at: null,
};
