import type { Member } from "./member.ts";
import type { Plan, RefusalCode } from "./plan.ts";
import type { NamedProfile } from "./profile.ts";
import type { WorldPool } from "./world.ts";

/** Where a request may go, before health and order are looked at. */
export interface Destination {
  readonly kind: "destination";
  /** Null for a target addressed by itself. */
  readonly pool: ({ readonly name: string } & WorldPool) | null;
  /** As declared, duplicates included. */
  readonly members: readonly Member[];
  /** Whether two members share a target. */
  readonly has_repeats: boolean;
  /** The profile that the model string named. */
  readonly profile?: NamedProfile;
  /** How the model string was read, where that is not plain. */
  readonly notes: readonly string[];
}

export type Refusal = Omit<Extract<Plan, { kind: "refuse" }>, "asked">;

export function refuse(code: RefusalCode, message: string, param: string | null): Refusal {
  return { kind: "refuse", code, message, param };
}

/** Most plans need no words. */
export const NO_NOTES: readonly string[] = [];

/** A destination of one member. */
export function only(member: Member, notes = NO_NOTES): Destination {
  return { kind: "destination", pool: null, members: [member], has_repeats: false, notes };
}
