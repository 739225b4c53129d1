import type { Member } from "./member.ts";
import type { Plan, RefusalCode } from "./plan.ts";
import type { StrategyName } from "./strategies/strategy.ts";

/** Where a request may go, before health and order are looked at. */
export interface Destination {
  readonly kind: "destination";
  readonly pool: string | null;
  readonly strategy: StrategyName | null;
  /** As declared, duplicates included. */
  readonly members: readonly Member[];
  /** How the model string was read, where that is not plain. */
  readonly notes: readonly string[];
}

export type Refusal = Omit<Extract<Plan, { kind: "refuse" }>, "asked">;

export function refuse(code: RefusalCode, message: string, param: string | null): Refusal {
  return { kind: "refuse", code, message, param };
}

/** A destination of one member. */
export function only(member: Member, ...notes: readonly string[]): Destination {
  return { kind: "destination", pool: null, strategy: null, members: [member], notes };
}
