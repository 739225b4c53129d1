import type { Obstacle } from "./eligibility.ts";

/** What a request may do, given what stands in the way of each candidate of its plan. */
export type Admission =
  /** Some candidate is free of obstacles: the plan is carried out as it stands. */
  | { readonly kind: "planned" }
  /** Nothing is eligible, but this candidate may serve; the decision has to say so. */
  | {
      readonly kind: "degraded";
      /** Position in the plan. */
      readonly index: number;
      readonly one_at_a_time: boolean;
    }
  | { readonly kind: "none" };

/**
 * What to do when nothing may be eligible; one entry per candidate, in the order of the plan. Trips
 * that judge the content of answers give way altogether: a doubtful answer beats none. A failure rate
 * or a cooldown of our own lets one request at a time through to the candidate that recovers soonest;
 * the others are told to wait, so that an outage is found to be over without being hammered. Behind
 * failures of the same request only the former counts: whoever was eligible has had its turn.
 */
export function admit(
  candidates: readonly (readonly Obstacle[])[],
  { after_failures = false }: { readonly after_failures?: boolean } = {},
): Admission {
  if (candidates.some((obstacles) => obstacles.length === 0)) return { kind: "planned" };
  const judged = candidates.findIndex((obstacles) => obstacles.every(givesWay));
  if (judged !== -1) return { kind: "degraded", index: judged, one_at_a_time: false };
  if (after_failures) return { kind: "none" };
  const [soonest] = candidates
    .map((obstacles, index) => ({ obstacles, index, at: recoveryOf(obstacles) }))
    .filter(({ obstacles }) => obstacles.every(mayYield))
    .toSorted((a, b) => a.at - b.at);
  if (soonest === undefined || soonest.obstacles.some(({ is_tried }) => is_tried)) {
    return { kind: "none" };
  }
  return { kind: "degraded", index: soonest.index, one_at_a_time: true };
}

function givesWay({ yields }: Obstacle): boolean {
  return yields === "always";
}

function mayYield({ yields }: Obstacle): boolean {
  return yields === "always" || yields === "one_at_a_time";
}

/** When the last of a candidate's obstacles lifts, epoch ms; half open counts as now. */
function recoveryOf(obstacles: readonly Obstacle[]): number {
  return Math.max(...obstacles.map(({ reason }) => reason.until_at ?? 0));
}
