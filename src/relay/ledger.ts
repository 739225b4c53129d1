import type { Clock } from "../lib/clock.ts";
import type { Decision } from "../routing/decision.ts";
import type { EventHub } from "../telemetry/events.ts";
import { type CostOf, createEntry, type LedgerEntry, unfinishedDecision } from "./ledger-entry.ts";

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

type Begin = Pick<Decision, "request_id" | "dialect" | "stream" | "asked">;

/** Every decision from its first moment to the store, and the events it gives rise to. */
export function createLedger(dependencies: LedgerDependencies) {
  const { clock, newId, events, costOf, keepUnfinished } = dependencies;
  const open = new Map<string, { decision: Decision; kept: boolean; started: number }>();
  const finished = new Map<string, Decision>();

  // A request that outlasts a sweep survives a crash as an unfinished row.
  const sweep = setInterval(() => {
    const latest = clock.elapsed() - SWEEP_MS;
    for (const entry of open.values()) {
      if (entry.started > latest) break;
      if (!entry.kept) keepUnfinished(entry.decision);
      entry.kept = true;
    }
  }, SWEEP_MS);
  sweep.unref();

  function onFinish(decision: Decision): void {
    open.delete(decision.id);
    finished.set(decision.id, decision);
    if (finished.size > KEPT_FINISHED) finished.delete(finished.keys().next().value ?? "");
    events.emit({ kind: "request", at: clock.now(), decision });
  }

  return {
    begin({ request_id, dialect, stream, asked }: Begin): LedgerEntry {
      const begun = { id: newId(), at: clock.now(), request_id, dialect, stream, asked };
      const decision = unfinishedDecision(begun);
      open.set(decision.id, { decision, kept: false, started: clock.elapsed() });
      return createEntry({ clock, events, costOf, decision, onFinish });
    },
    find: (id: string): Decision | undefined => open.get(id)?.decision ?? finished.get(id),
    stop: (): void => clearInterval(sweep),
  };
}

export type Ledger = ReturnType<typeof createLedger>;
