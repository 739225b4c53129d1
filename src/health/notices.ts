import type { TripScope } from "../verify/verdict.ts";
import type { Trip } from "./breaker.ts";
import type { Withheld } from "./trips/observe.ts";

/** Something about health that a person may want to know of. */
export type HealthNotice =
  | { readonly kind: "breaker_opened"; readonly trip: Trip }
  | { readonly kind: "breaker_closed"; readonly trip: Trip }
  /** The same first choice has failed so many requests in a row that it must be broken. */
  | {
      readonly kind: "persistent_failover";
      readonly pool: string;
      readonly first_choice: string;
      readonly count: number;
    }
  /** Answers begin to look wrong; nothing is benched. */
  | (AboutSignature & { readonly kind: "signature_warning"; readonly detail: string })
  /** Answers are wrong, but nothing is benched, for this reason. */
  | (AboutSignature & { readonly kind: "trip_withheld"; readonly why: Withheld })
  /**
   * Unrelated upstreams began to mangle text at once, so that the fault is more likely our own; or it
   * certainly is, with one instance or none: `self_inflicted`, `self_test`.
   */
  | {
      readonly kind: "rig_suspected";
      readonly signature: string;
      readonly instances: readonly string[];
    }
  /** A pool has nothing left but a target whose answers are not trusted. */
  | {
      readonly kind: "degraded_service";
      readonly pool: string;
      readonly target: string;
      /** Why it is not trusted, as `explain` shows it. */
      readonly detail: string;
    }
  /** A rented GPU needs somebody's attention, or will soon be released. */
  | {
      readonly kind: "runtime";
      /** Whether it may cost money that nobody means to spend. */
      readonly is_urgent: boolean;
      readonly text: string;
    }
  /** The canary keeps traffic from an endpoint, or in observe mode would. */
  | (AboutEndpoint & {
      readonly kind: "canary_suspended" | "canary_would_suspend";
      /** Epoch ms. */
      readonly until_at: number;
    })
  /** It would, but too few others would be left. */
  | (AboutEndpoint & { readonly kind: "canary_floor" })
  /** An endpoint serves again; `how` is `early_restore`, `expired` or `operator_lift`. */
  | (AboutEndpoint & { readonly kind: "canary_restored"; readonly how: string })
  /** A limit of what the canary may spend is reached for today. */
  | { readonly kind: "canary_budget"; readonly instance: string; readonly limit: string }
  /** What the canary asks about filters tells nothing now, or does again. */
  | {
      readonly kind: "canary_filter_weak";
      readonly is_weak: boolean;
      /** Controls that let the question through. */
      readonly passed: readonly string[];
    }
  /** Somebody asks whether a receiver can be reached. */
  | { readonly kind: "test" };

interface AboutEndpoint {
  /** `instance:model`, or `instance:model@host`. */
  readonly endpoint: string;
  /** What failed, in fixed words. */
  readonly detail: string;
}

interface AboutSignature {
  readonly scope: TripScope;
  readonly subject: string;
  readonly signature: string;
}

export type CanaryNotice = Extract<HealthNotice, { kind: `canary_${string}` }>;

export function isCanaryNotice(notice: HealthNotice): notice is CanaryNotice {
  return notice.kind.startsWith("canary_");
}
