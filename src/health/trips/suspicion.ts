import type { TripScope } from "../../verify/verdict.ts";
import { countRecent } from "./hours.ts";
import type { TripPolicy } from "./policy.ts";
import { type Test, testFor } from "./sequential-test.ts";
import { baselineOf, NO_HITS, type SignatureTally, type Tally } from "./tally.ts";

/** Whose tally it is, under which policy, and when. */
export interface TallyContext {
  readonly scope: TripScope;
  readonly policy: Pick<TripPolicy, "floor" | "incident_ratio" | "probation">;
  /** Epoch ms. */
  readonly now: number;
}

/** The sequential test that answers of this scope are put to now. */
export function testOf(
  tally: Tally,
  signature: SignatureTally,
  { scope, policy, now }: TallyContext,
): Test {
  const { bad: before, answers } = baselineOf(tally, signature, now);
  const all = countRecent(tally.clean, now) + countRecent(signature.bad, now);
  // A scope known for a quarter of an hour has not been idle for a day.
  const minutes = Math.min(Math.max((now - tally.since_at) / 60_000, 60), 24 * 60);
  const baseline = { bad: before, answers, per_minute: all / minutes };
  const { floor, incident_ratio } = policy;
  return testFor(baseline, scope, { floor: floor[scope], incident_ratio });
}

/** The sum loses its meaning after so long without an answer. */
const IDLE_MS = 120 * 60_000;

/** A signature's tally, its case dropped where it has rested too long. */
export function fresh(tally: SignatureTally, now: number): SignatureTally {
  if (now - tally.last_at <= IDLE_MS) return tally;
  return { ...tally, score: 0, hits: 0, is_warned: false };
}

/** The tally after a trip of the signature has closed: it starts half convicted. */
export function onProbation(
  tally: Tally,
  signature: string,
  { level, ...context }: TallyContext & { readonly level: number },
): Tally {
  const before = tally.signatures[signature] ?? NO_HITS;
  const { threshold } = testOf(tally, before, context);
  const after: SignatureTally = {
    ...before,
    score: threshold / 2,
    hits: 0,
    last_at: context.now,
    is_warned: true,
    probation: context.policy.probation,
    level,
    clean: 0,
    origins: [],
  };
  return { ...tally, signatures: { ...tally.signatures, [signature]: after } };
}

/** What is held against a scope now, for the curious and for the hold-back. */
export interface Suspicion {
  readonly signature: string;
  readonly score: number;
  readonly threshold: number;
  readonly hits: number;
  /** Bad answers and all answers of the 24 hours before the current one. */
  readonly bad: number;
  readonly answers: number;
  readonly probation: number;
}

export function suspicionsOf(tally: Tally, context: TallyContext): readonly Suspicion[] {
  return Object.entries(tally.signatures).map(([signature, before]) => {
    const current = fresh(before, context.now);
    const { threshold } = testOf(tally, current, context);
    const { score, hits, probation } = current;
    const { bad, answers } = baselineOf(tally, current, context.now);
    return { signature, score, threshold, hits, probation, bad, answers };
  });
}

/** Whether answers are to be held back a little longer before the client sees them. */
export function isSuspect({ score, threshold, probation }: Suspicion): boolean {
  return probation > 0 || score > threshold / 2;
}

/** The tally with nothing held against it, or not this signature. What was counted stays counted. */
export function withoutCharges(tally: Tally, signature: string | null): Tally {
  const signatures: Record<string, SignatureTally> = {};
  for (const [name, before] of Object.entries(tally.signatures)) {
    const isMeant = signature === null || name === signature;
    signatures[name] = isMeant ? { ...NO_HITS, bad: before.bad } : before;
  }
  return { ...tally, signatures };
}
