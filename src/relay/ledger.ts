import type { Clock } from "../lib/clock.ts";
import type { Attempt, Decision, Usage } from "../routing/decision.ts";
import type { Plan } from "../routing/plan.ts";
import type { EventHub } from "../telemetry/events.ts";

/** Finished decisions kept in memory, so that one is readable before the store has it. */
const KEPT_FINISHED = 1000;
/** How long a request may run before its unfinished decision goes to the store, and how often we look. */
const SWEEP_MS = 250;
const MAX_ASKED = 256;

interface LedgerDependencies {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly events: EventHub;
  /** Stores a decision, finished or not. Never waits. */
  readonly keep: (decision: Decision) => void;
}

interface Begin {
  readonly request_id: string;
  readonly dialect: string;
  readonly stream: boolean;
  readonly asked: string;
}

interface AttemptEnd {
  readonly kind: string;
  readonly status: number | null;
  readonly vendor_code?: string | null;
  readonly usage?: Usage | null;
}

export interface AttemptEntry {
  /** Marks the first content-bearing delta. */
  firstToken(): void;
  /** Later calls change nothing. */
  end(end: AttemptEnd): void;
}

interface DecisionEnd {
  readonly status: number;
  readonly outcome: Decision["outcome"];
  readonly error_code?: string | null;
}

/** The decision of one request while it is being made. */
export interface LedgerEntry {
  readonly id: string;
  readonly decision: Decision;
  plan(plan: Extract<Plan, { kind: "route" }>): void;
  edit(name: string): void;
  startAttempt(attempt: { target: string; instance: string; retry: boolean }): AttemptEntry;
  serve(target: string): void;
  /** Later calls change nothing. */
  finish(end: DecisionEnd): void;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Every decision from its first moment to the store, and the events it gives rise to. */
export function createLedger({ clock, newId, events, keep }: LedgerDependencies) {
  const open = new Map<string, { decision: Mutable<Decision>; kept: boolean; started: number }>();
  const finished = new Map<string, Decision>();

  const sweep = setInterval(() => {
    const latest = clock.elapsed() - SWEEP_MS;
    for (const entry of open.values()) {
      if (entry.started > latest) break;
      if (!entry.kept) keep(entry.decision);
      entry.kept = true;
    }
  }, SWEEP_MS);
  sweep.unref();

  function settle(decision: Decision): void {
    open.delete(decision.id);
    finished.set(decision.id, decision);
    if (finished.size > KEPT_FINISHED) finished.delete(finished.keys().next().value ?? "");
    keep(decision);
    events.emit({ kind: "request", at: clock.now(), decision });
  }

  function startAttempt(
    decision: Decision,
    { target, instance, retry }: { target: string; instance: string; retry: boolean },
  ): AttemptEntry {
    const started = clock.elapsed();
    const attempt: Mutable<Attempt> = {
      ...UNFINISHED_ATTEMPT,
      n: decision.attempts.length + 1,
      target,
      retry,
      started_at: clock.now(),
    };
    decision.attempts.push(attempt);
    return {
      firstToken() {
        attempt.ttft_ms ??= round(clock.elapsed() - started);
      },
      end({ kind, status, vendor_code = null, usage = null }) {
        if (attempt.kind !== UNFINISHED_ATTEMPT.kind) return;
        const duration_ms = round(clock.elapsed() - started);
        Object.assign(attempt, { kind, status, vendor_code, usage, duration_ms });
        const { id, request_id, dialect, stream, pool } = decision;
        const about = { decision_id: id, request_id, dialect, stream, pool, instance };
        events.emit({ kind: "attempt", at: clock.now(), ...about, attempt });
      },
    };
  }

  return {
    begin({ request_id, dialect, stream, asked }: Begin): LedgerEntry {
      const started = clock.elapsed();
      const decision: Mutable<Decision> = {
        ...UNFINISHED_DECISION,
        edits: [],
        plan: { candidates: [] },
        attempts: [],
        id: newId(),
        at: clock.now(),
        request_id,
        dialect,
        stream,
        asked: asked.slice(0, MAX_ASKED),
      };
      open.set(decision.id, { decision, kept: false, started });
      return {
        id: decision.id,
        decision,
        plan({ pool, lane, profile, strategy, candidates }) {
          const views = candidates.map(({ target, eligible, reasons, score }) => {
            return { target, eligible, reasons, score };
          });
          Object.assign(decision, { pool, lane, profile, strategy, plan: { candidates: views } });
        },
        edit(name) {
          if (!decision.edits.includes(name)) decision.edits.push(name);
        },
        startAttempt: (attempt) => startAttempt(decision, attempt),
        serve(target) {
          decision.served = target;
        },
        finish({ status, outcome, error_code = null }) {
          if (decision.outcome !== "in_progress") return;
          Object.assign(decision, { status, outcome, error_code, ...totals(decision) });
          decision.duration_ms = round(clock.elapsed() - started);
          settle(decision);
        },
      };
    },
    find: (id: string): Decision | undefined => open.get(id)?.decision ?? finished.get(id),
    openCount: (): number => open.size,
    stop: (): void => clearInterval(sweep),
  };
}

export type Ledger = ReturnType<typeof createLedger>;

const UNFINISHED_ATTEMPT = {
  kind: "in_progress",
  endpoint: null,
  status: null,
  vendor_code: null,
  duration_ms: 0,
  ttft_ms: null,
  usage: null,
  cost_usd: null,
  verification: null,
};

const UNFINISHED_DECISION = {
  served: null,
  profile: null,
  lane: null,
  pool: null,
  strategy: null,
  status: null,
  error_code: null,
  outcome: "in_progress" as const,
  degraded: false,
  duration_ms: null,
  ttft_ms: null,
  usage: null,
  cost_usd: null,
};

const round = (ms: number): number => Math.round(ms * 10) / 10;

/** Usage and first token of the attempt that answered; earlier ones keep their own in `attempts`. */
function totals({ attempts }: Decision): Pick<Decision, "usage" | "ttft_ms"> {
  const last = attempts.at(-1);
  return { usage: last?.usage ?? null, ttft_ms: last?.ttft_ms ?? null };
}
