import type { Spec, Target } from "../address/target.ts";
import type { Reason } from "./plan.ts";
import type { WorldInstance } from "./world.ts";

/** One target a destination may use, and what its spec says about ordering. */
export interface Member {
  /** Without the parameters that speak to the router. */
  readonly target: Target;
  /** Null if no such instance exists; `reasons` then say why. */
  readonly instance: WorldInstance | null;
  /** Lower tiers are used up before higher ones. */
  readonly order: number;
  readonly weight: number;
  /** What already rules it out. */
  readonly reasons: readonly Reason[];
}

/** Parameters that never leave the router. */
const ROUTING_PARAMS: ReadonlySet<string> = new Set(["order", "weight"]);

/** What the parameters of a spec say to the router, and those that go upstream. */
export function splitParams(
  params: Spec["params"],
): Pick<Member, "order" | "weight"> & Pick<Target, "params"> {
  return {
    order: numberOr(params["order"], 0),
    weight: numberOr(params["weight"], 1),
    params: Object.fromEntries(
      Object.entries(params).filter(([name]) => !ROUTING_PARAMS.has(name)),
    ),
  };
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
