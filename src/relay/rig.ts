import { causeOf } from "../health/trips/recovery.ts";
import { isRigSuspected, NO_RIG_HITS, noteNovel } from "../health/trips/rig.ts";
import type { SignatureWatchDependencies } from "./signature-watch.ts";

/** Whether what looks like a fault of providers is our own. */
export interface Rig {
  /** An instance showed a signature that it had not shown for a day. */
  note(signature: string, instance: string): void;
  /** An answer had broken characters that its upstream's bytes do not have. */
  noteOwnFault(instance: string): void;
  /** No trip by this signature is to be believed now. */
  isSuspected(signature: string): boolean;
}

/** Trips that may have been our own doing are lifted if they opened no longer ago. */
const LOOKBACK_MS = 10 * 60_000;
/** A fault of our own that goes on is told again after so long. */
const QUIET_MS = 10 * 60_000;

export function createRig(dependencies: SignatureWatchDependencies): Rig {
  const { clock, policy, trips, hostOf, isDecodingSound, notify } = dependencies;
  let watch = NO_RIG_HITS;
  let toldAt = -Infinity;

  function tellOwnFault(signature: string, instances: readonly string[]): void {
    if (clock.now() - toldAt < QUIET_MS) return;
    toldAt = clock.now();
    notify({ kind: "rig_suspected", signature, instances });
  }

  if (!isDecodingSound()) tellOwnFault("self_test", []);
  return {
    note(signature, instance) {
      if (!policy().traits(signature).is_encoding) return;
      const at = clock.now();
      const noted = noteNovel(watch, { signature, instance, host: hostOf(instance), at });
      watch = noted.watch;
      if (noted.suspicion === null) return;
      notify({ kind: "rig_suspected", ...noted.suspicion });
      for (const trip of trips.list()) {
        const isRecent = at - trip.opened_at <= LOOKBACK_MS;
        if (trip.cause === causeOf(signature) && isRecent) trips.put(trip, null);
      }
    },
    noteOwnFault: (instance) => tellOwnFault("self_inflicted", [instance]),
    isSuspected(signature) {
      if (isRigSuspected(watch, signature, clock.now())) return true;
      // Asked only when a trip is due, so that the test costs nothing otherwise.
      if (!policy().traits(signature).is_encoding || isDecodingSound()) return false;
      tellOwnFault("self_test", []);
      return true;
    },
  };
}
