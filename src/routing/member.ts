import { printParams } from "../address/spec-params.ts";
import { rememberKey, type Spec, type Target, type TargetKey } from "../address/target.ts";
import type { Reason } from "./plan.ts";
import type { TargetSignals } from "./signals.ts";
import type { WorldInstance } from "./world.ts";

/** One target a destination may use, and what its spec says about ordering. */
export interface Member {
  /** Without the parameters that speak to the router. */
  readonly target: Target;
  readonly key: TargetKey;
  /** The key with the parameters: tells apart two members of a pool that share a target. */
  readonly id: string;
  /** Null if no such instance exists; `reasons` then say why. */
  readonly instance: WorldInstance | null;
  /** Lower tiers are used up before higher ones. */
  readonly order: number;
  /** Share of the first tries under `weighted`; 0 is a spare. */
  readonly weight: number;
  /** What already rules it out. */
  readonly reasons: readonly Reason[];
}

/** A member as one request finds it. */
export interface Contender {
  readonly member: Member;
  /** By layer; none means eligible. */
  readonly reasons: Reason[];
  readonly signals: TargetSignals;
}

type MemberParts = Pick<Spec, "params"> & {
  readonly place: Pick<Target, "instance" | "model">;
  readonly instance: WorldInstance | null;
  readonly reasons: readonly Reason[];
};

export function createMember({ place, params, instance, reasons }: MemberParts): Member {
  const { order, weight, ...sent } = params;
  const target = { ...place, params: sent };
  const key = rememberKey(target);
  return {
    target,
    key,
    id: `${key}${printParams(sent)}`,
    instance,
    order: amount(order, 0),
    weight: amount(weight, 1),
    reasons,
  };
}

/** A pool's values were checked when it was loaded; a client's own spec may hold anything. */
function amount(value: unknown, otherwise: number): number {
  return typeof value === "number" && value >= 0 ? value : otherwise;
}
