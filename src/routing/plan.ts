import { type Static, Type } from "@sinclair/typebox";

import type { Target } from "../address/target.ts";
import type { Untranslatable } from "../protocol/translate/translation.ts";
import type { PinVerdict } from "./affinity.ts";
import type { VerifyMode } from "./profile.ts";

const closed = { additionalProperties: false };

/** One layer that is against a target, as in docs/explain.md, and when it lifts. */
export const Reason = Type.Object(
  {
    layer: Type.Integer({ minimum: 0, maximum: 8, description: "Health layer, 0 to 8." }),
    code: Type.String({ description: "Stable reason code, such as `cooldown`." }),
    detail: Type.Union([Type.String(), Type.Null()]),
    until_at: Type.Union([Type.Integer(), Type.Null()], { description: "Epoch ms, if timed." }),
  },
  closed,
);
export type Reason = Static<typeof Reason>;

export const CandidateView = Type.Object(
  {
    target: Type.String({ description: "Target key, `instance:model`." }),
    eligible: Type.Boolean(),
    reasons: Type.Array(Reason),
    score: Type.Union([Type.Number(), Type.Null()]),
  },
  closed,
);
export type CandidateView = Static<typeof CandidateView>;

/** The plan as it is stored and explained. */
export const PlanView = Type.Object({ candidates: Type.Array(CandidateView) }, closed);
export type PlanView = Static<typeof PlanView>;

/** One member of a plan, with what the view leaves out. */
export interface Candidate extends CandidateView {
  /** What is called, with the parameters that go upstream. */
  readonly member: Target;
  /** Names of parameters that a profile or the block added: no client is refused for one. */
  readonly preferred?: ReadonlySet<string>;
  /** The target as its pool declares it, parameters included; what a session is pinned to. */
  readonly id: string;
  /** Null where nobody knows. */
  readonly window_tokens: number | null;
}

/** What carrying a plan out changes in the router's memory. A preview leaves all of it alone. */
export interface PlanEffects {
  /** The pool's turn is taken: the next plan begins one further. */
  readonly takes_turn: boolean;
  /** Null where the request belongs to no session, or the pool keeps none. */
  readonly session: { readonly id: string; readonly pin: PinVerdict } | null;
}

/** How closely the answers to a request are looked at. */
export interface Scrutiny {
  readonly verify: VerifyMode;
  readonly hold_back: boolean;
}

export const USUAL_SCRUTINY: Scrutiny = { verify: "rescue", hold_back: false };

/** The routing decision as a value. */
export type Plan =
  | {
      readonly kind: "route";
      readonly asked: string;
      readonly pool: string | null;
      readonly lane: string | null;
      readonly profile: string | null;
      readonly strategy: string | null;
      /** Eligible members first, in the order they are tried; then the others. */
      readonly candidates: readonly Candidate[];
      readonly notes: readonly string[];
      readonly scrutiny: Scrutiny;
      readonly effects: PlanEffects;
      /** What kept candidates from being told the request in the dialect of their provider. */
      readonly untranslatable: readonly Untranslatable[];
    }
  | {
      readonly kind: "refuse";
      readonly asked: string;
      readonly code: RefusalCode;
      readonly message: string;
      readonly param: string | null;
    };

/** What of a plan is stored and shown. */
export function planView(candidates: readonly Candidate[]): PlanView {
  const views = candidates.map(({ target, eligible, reasons, score }): CandidateView => {
    return { target, eligible, reasons, score };
  });
  return { candidates: views };
}

export type RoutePlan = Extract<Plan, { kind: "route" }>;

export type RefusalCode =
  "model_not_found" | "invalid_request" | "no_target_available" | "context_length_exceeded";
