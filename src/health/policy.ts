import type { BreakerPolicy } from "./breaker.ts";
import { FAILURE_FACTS } from "./failure-facts.ts";
import type { Failure, FailureKind } from "./failure.ts";
import { AT_LEAST_DEFAULT } from "./waits.ts";

/** How long one failure of a kind benches; a kind left out keeps its own. */
export type CooldownPolicy = Readonly<Partial<Record<FailureKind, number>>>;

/** What of health an operator may set. Facts about failures are no policy and stay with the kinds. */
export interface HealthPolicy {
  readonly breaker: BreakerPolicy;
  /** Milliseconds by kind. */
  readonly cooldowns: CooldownPolicy;
}

/** The failure with the operator's cooldown, where neither vendor nor circumstances set another one. */
export function withPolicy(failure: Failure, cooldowns: CooldownPolicy): Failure {
  const { kind, cooldown_ms, retry_after_ms } = failure;
  const ours = cooldowns[kind];
  if (ours === undefined) return failure;
  if (retry_after_ms !== null) {
    if (!AT_LEAST_DEFAULT.has(kind)) return failure;
    return { ...failure, cooldown_ms: Math.max(retry_after_ms, ours) };
  }
  return cooldown_ms === FAILURE_FACTS[kind].cooldown_ms
    ? { ...failure, cooldown_ms: ours }
    : failure;
}
