import type { TripScope } from "../../verify/verdict.ts";

/**
 * A cumulative-sum test (CUSUM) between two shares of bad answers: the usual one, and that of an
 * incident. Each answer adds what it says for the incident, in nats; the sum never falls below 0.
 */
export interface Test {
  /** The usual share of bad answers. */
  readonly usual: number;
  /** The share that would be an incident. */
  readonly incident: number;
  /** The sum at which the incident counts as proven. */
  readonly threshold: number;
}

interface Baseline {
  readonly bad: number;
  /** Bad ones included. */
  readonly answers: number;
  /** Answers a minute, the current hour included. */
  readonly per_minute: number;
}

/** One-sided 95 %. */
const Z = 1.64;
/** Below so many answers a baseline says nothing. */
const LEAST_ANSWERS = 50;
const USUAL_UNKNOWN = 0.03;
const MOST_USUAL = 0.25;
const INCIDENT_FACTOR = 4;
/** A certain incident would make one clean answer disprove everything before it. */
const MOST_INCIDENT = 0.95;

/**
 * The test for a scope with this baseline. The busier a scope, the higher the threshold: false alarms
 * are to be rare per week, not per answer.
 */
export function testFor(
  { bad, answers, per_minute }: Baseline,
  scope: TripScope,
  { floor, incident_ratio }: { readonly floor: number; readonly incident_ratio: number },
): Test {
  const usual =
    answers < LEAST_ANSWERS
      ? Math.max(USUAL_UNKNOWN, floor)
      : Math.min(Math.max(wilsonUpper(bad, answers), floor), MOST_USUAL);
  const incident = Math.min(Math.max(incident_ratio, INCIDENT_FACTOR * usual), MOST_INCIDENT);
  const decades = Math.max(0, Math.log10(per_minute));
  const threshold = scope === "target" ? Math.min(8 + 2 * decades, 12) : 8 + decades;
  return { usual, incident, threshold };
}

/** The sum after one more answer. */
export function scoreAfter(score: number, isBad: boolean, { usual, incident }: Test): number {
  const evidence = isBad ? incident / usual : (1 - incident) / (1 - usual);
  return Math.max(0, score + Math.log(evidence));
}

/** Upper end of Wilson's interval for a share. */
function wilsonUpper(hits: number, of: number): number {
  const z2 = Z * Z;
  const share = hits / of;
  const spread = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of));
  return (share + z2 / (2 * of) + spread) / (1 + z2 / of);
}
