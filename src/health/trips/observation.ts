import type { Target } from "../../address/target.ts";
import type { TripScope, Verdict, VerdictName } from "../../verify/verdict.ts";

/** The verdict on one attempt's output, with what decides how much it says. */
export interface Observation {
  readonly target: Pick<Target, "instance" | "model">;
  readonly verdict: Omit<Verdict, "detail">;
  readonly stream: boolean;
  /** Neither prompt nor answer could have been mangled, since all of it is ASCII. */
  readonly ascii: { readonly prompt: boolean; readonly answer: boolean };
  /** When the attempt began, epoch ms. */
  readonly started_at: number;
  /** The client and its prompt, hashed: one client that repeats itself is one witness. Null if unknown. */
  readonly origin: string | null;
}

/** What an observation says of a scope: nothing at all is the common case for doubtful verdicts. */
export type Evidence =
  | { readonly kind: "clean" }
  | { readonly kind: "bad"; readonly signature: string }
  | { readonly kind: "none" };

const NONE: Evidence = { kind: "none" };
const CLEAN: Evidence = { kind: "clean" };

/**
 * Evidence for the trip rule of a scope. What a client capped or left, what cannot be judged, and a
 * broken encoding after a prompt that may have brought it along are none.
 */
export function evidenceFor({ verdict, ascii }: Observation, scope: TripScope): Evidence {
  const { trips, attributable, signature } = verdict;
  if (trips) {
    const counts = attributable && signature !== null && verdict.scope === scope;
    return counts ? { kind: "bad", signature } : NONE;
  }
  if (!isClean(verdict)) return NONE;
  // A broken encoding could not have been blamed on the provider here, so its absence does not clear it.
  return scope === "target" || ascii.prompt ? CLEAN : NONE;
}

/** A finding that never counts is made only after everything that does was looked for. */
export function isClean({ verdict, attributable, trips }: Observation["verdict"]): boolean {
  if (trips || SAYS_NOTHING.has(verdict)) return false;
  return verdict === "ok" || attributable;
}

const SAYS_NOTHING: ReadonlySet<VerdictName> = new Set([
  "suspect",
  "unverifiable",
  "client_capped",
]);
