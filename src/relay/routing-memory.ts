import { type Pin, pinAfter } from "../routing/affinity.ts";
import { isTriable } from "../routing/arrange.ts";
import type { RoutePlan } from "../routing/plan.ts";
import { createRecent } from "./recent.ts";

/** What routing remembers between requests: whose turn it is in a pool, and where sessions are held. */
export interface RoutingMemory {
  cursor(pool: string): number;
  pin(pool: string, session: string): Pin | null;
  /** A plan is being carried out: its pool's turn is taken. */
  began(plan: RoutePlan): void;
  /** The target with this key has answered a plan. */
  served(plan: RoutePlan, target: string): void;
}

/** Sessions that are held at once; the ones longest silent are let go. */
const MAX_PINS = 10_000;
const PIN_TTL_MS = 24 * 60 * 60_000;
/** Pools that have gone with a reload must not stay for ever. */
const MAX_CURSORS = 1000;

export function createRoutingMemory(now: () => number): RoutingMemory {
  const cursors = createRecent<number>({ max: MAX_CURSORS, ttl_ms: Infinity, now });
  const pins = createRecent<Pin>({ max: MAX_PINS, ttl_ms: PIN_TTL_MS, now });
  return {
    cursor: (pool) => cursors.get(pool) ?? 0,
    pin: (pool, session) => pins.get(pinKey(pool, session)) ?? null,
    began({ pool, effects }) {
      if (pool === null || !effects.takes_turn) return;
      cursors.set(pool, (cursors.get(pool) ?? 0) + 1);
    },
    served({ pool, candidates, effects: { session } }, target) {
      // A target that stands twice in the pool is tried in one of its places only.
      const served = candidates.find((one) => one.target === target && isTriable(one));
      if (pool === null || session === null || served === undefined) return;
      pins.set(pinKey(pool, session.id), pinAfter(session.pin, served.id));
    },
  };
}

/** A pool's name holds no space. */
function pinKey(pool: string, session: string): string {
  return `${pool} ${session}`;
}
