import type { Clock } from "../lib/clock.ts";
import { createRing } from "../lib/ring.ts";
import type { Decision } from "../routing/decision.ts";
import type { EventHub } from "../telemetry/events.ts";
import type { CostOf } from "./attempt-entry.ts";
import { type BegunRequest, LedgerEntry } from "./ledger-entry.ts";

/** Finished decisions kept in memory, so that one is readable before the store has it. */
const KEPT_FINISHED = 1000;
/** How long a request may run before its unfinished decision goes to the store, and how often we look. */
const SWEEP_MS = 250;

interface LedgerDependencies {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly events: EventHub;
  readonly costOf: CostOf;
  /** Stores a decision that is still being made; finished ones leave as events. Never waits. */
  readonly keepUnfinished: (decision: Decision) => void;
}

/** Every decision from its first moment to the store, and the events it gives rise to. */
export function createLedger(dependencies: LedgerDependencies) {
  const { clock, newId, events, costOf, keepUnfinished } = dependencies;
  const open = new Map<string, LedgerEntry>();
  const kept = new WeakSet<LedgerEntry>();
  const finished = createRing<Decision>(KEPT_FINISHED);

  // A request that outlasts a sweep survives a crash as an unfinished row.
  const sweep = setInterval(() => {
    const latest = clock.elapsed() - SWEEP_MS;
    for (const entry of open.values()) {
      if (entry.started > latest) break;
      if (!kept.has(entry)) keepUnfinished(entry.decision);
      kept.add(entry);
    }
  }, SWEEP_MS);
  sweep.unref();

  function onFinish(decision: Decision, key_id: string | null): void {
    open.delete(decision.id);
    finished.push(decision);
    events.emit({ kind: "request", at: clock.now(), decision, key_id });
  }
  const parts = { clock, events, costOf, onFinish };

  return {
    begin(request: BegunRequest): LedgerEntry {
      const entry = new LedgerEntry(parts, newId(), request);
      open.set(entry.id, entry);
      return entry;
    },
    find: (id: string): Decision | undefined =>
      open.get(id)?.decision ?? finished.find((decision) => decision.id === id),
    stop: (): void => clearInterval(sweep),
  };
}

export type Ledger = ReturnType<typeof createLedger>;
