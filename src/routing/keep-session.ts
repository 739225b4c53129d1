import { judgePin, type Pin, pinnedFirst, pinNotes } from "./affinity.ts";
import { type Destination, NO_NOTES } from "./destination.ts";
import type { Candidate, PlanEffects } from "./plan.ts";
import type { RoutingWorld } from "./world.ts";

/** The session of a request, where its pool keeps sessions. */
interface KeptSession {
  readonly id: string;
  readonly pin: Pin | null;
}

export function sessionIn(
  pool: Destination["pool"],
  id: string | null,
  world: RoutingWorld,
): KeptSession | null {
  if (pool === null || pool.affinity === "none" || id === null) return null;
  return { id, pin: world.pin(pool.name, id) };
}

interface Kept {
  readonly candidates: readonly Candidate[];
  readonly effects: PlanEffects;
  readonly notes: readonly string[];
}

/**
 * Puts the candidate that holds the session first. The pool's turn is taken only where its strategy
 * chose: not by a session that stays, nor by a plan without an eligible candidate.
 */
export function keepSession(
  ordered: readonly Candidate[],
  session: KeptSession | null,
  { has_turns, now }: { readonly has_turns: boolean; readonly now: number },
): Kept {
  const takes_turn = has_turns && ordered[0]?.eligible === true;
  if (session === null) {
    return { candidates: ordered, effects: { takes_turn, session: null }, notes: NO_NOTES };
  }
  const pin = judgePin(session.pin, ordered, now);
  return {
    candidates: pinnedFirst(ordered, pin),
    effects: {
      takes_turn: takes_turn && pin.kind !== "held",
      session: { id: session.id, pin },
    },
    notes: pinNotes(pin),
  };
}
