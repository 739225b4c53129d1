import { type StoreError, storeErrorKind } from "../store-error.ts";
import type { Refusal } from "../worker-messages.ts";
import { damageFound } from "./recovery.ts";

/** Why writing fails now. Damage stays until the next start; anything else ends with a write that works. */
export interface Trouble {
  set: (error: StoreError | null) => void;
  current(): StoreError | null;
  isDamaged: () => boolean;
  /** Runs upkeep whose failures matter only if they show damage: it comes round again. */
  watch(upkeep: () => void): void;
}

export function createTrouble(path: string, tell: (refusal: Refusal | null) => void): Trouble {
  let current: StoreError | null = null;
  const set = (error: StoreError | null) => {
    if (current?.kind === "damaged" || error?.kind === current?.kind) return;
    current = error?.kind === "damaged" ? damageFound(path, error) : error;
    tell(current && { kind: current.kind, message: current.message });
  };
  return {
    set,
    current: () => current,
    isDamaged: () => current?.kind === "damaged",
    watch(upkeep) {
      if (current?.kind === "damaged") return;
      try {
        upkeep();
      } catch (error) {
        if (storeErrorKind(error) === "damaged") set(damageFound(path, error));
      }
    },
  };
}
