import { endpointKey } from "../canary/endpoints/endpoint.ts";
import type { Clock } from "../lib/clock.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { Attempt, Decision } from "../routing/decision.ts";
import { type Plan, planView } from "../routing/plan.ts";
import type { EventHub } from "../telemetry/events.ts";

/** How an attempt went. */
interface AttemptEnd {
  readonly kind: string;
  readonly status: number | null;
  readonly vendor_code?: string | null;
  readonly usage?: TokenUsage | null;
  /** What a gateway calls the host that answered. */
  readonly host?: string | null;
  readonly verification?: Attempt["verification"];
  /** When the trip rule counted the verdict, epoch ms. */
  readonly applied_at?: number | null;
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
  /** A target serves although something benches it. */
  degrade(): void;
  serve(target: string): void;
  /** Later calls change nothing. */
  finish(end: DecisionEnd): void;
}

const MAX_ASKED = 256;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What a call to a target cost, in USD; null if that is not known. */
export type CostOf = (
  call: { readonly target: string; readonly instance: string },
  usage: TokenUsage | null,
) => number | null;

interface EntryParts {
  readonly clock: Clock;
  readonly events: EventHub;
  readonly costOf: CostOf;
  /** The decision to be made, as `unfinishedDecision` returns it. */
  readonly decision: Mutable<Decision>;
  /** Called once, when the decision is complete. */
  readonly onFinish: (decision: Decision) => void;
}

/** The ways in which a decision grows while its request is carried out. */
export function createEntry({
  clock,
  events,
  costOf,
  decision,
  onFinish,
}: EntryParts): LedgerEntry {
  const started = clock.elapsed();
  return {
    id: decision.id,
    decision,
    plan({ pool, lane, profile, strategy, candidates }) {
      Object.assign(decision, { pool, lane, profile, strategy, plan: planView(candidates) });
    },
    edit(name) {
      if (!decision.edits.includes(name)) decision.edits.push(name);
    },
    startAttempt: (attempt) => startAttempt({ clock, events, costOf, decision }, attempt),
    degrade() {
      decision.degraded = true;
    },
    serve(target) {
      decision.served = target;
    },
    finish({ status, outcome, error_code = null }) {
      if (decision.outcome !== "in_progress") return;
      Object.assign(decision, { status, outcome, error_code, ...totals(decision) });
      decision.duration_ms = round(clock.elapsed() - started);
      onFinish(decision);
    },
  };
}

function startAttempt(
  { clock, events, costOf, decision }: Omit<EntryParts, "onFinish">,
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
    end({
      kind,
      status,
      vendor_code = null,
      usage = null,
      host = null,
      verification = null,
      applied_at = null,
    }) {
      if (attempt.kind !== UNFINISHED_ATTEMPT.kind) return;
      const duration_ms = round(clock.elapsed() - started);
      const cost_usd = costOf({ target, instance }, usage);
      const tokens = usage && tokensOf(usage);
      Object.assign(attempt, { kind, status, vendor_code, usage: tokens, cost_usd, duration_ms });
      attempt.verification = verification;
      if (host !== null) attempt.endpoint = endpointKey(target, host);
      const { id, request_id, dialect, stream, pool } = decision;
      const about = { decision_id: id, request_id, dialect, stream, pool, instance };
      events.emit({ kind: "attempt", at: clock.now(), ...about, attempt, applied_at });
    },
  };
}

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

/** A decision about which only the request is known. */
export function unfinishedDecision(
  begin: Pick<Decision, "id" | "at" | "request_id" | "dialect" | "stream" | "asked">,
): Mutable<Decision> {
  return {
    ...begin,
    asked: begin.asked.slice(0, MAX_ASKED),
    served: null,
    profile: null,
    lane: null,
    pool: null,
    strategy: null,
    status: null,
    error_code: null,
    outcome: "in_progress",
    degraded: false,
    edits: [],
    duration_ms: null,
    ttft_ms: null,
    usage: null,
    cost_usd: null,
    plan: { candidates: [] },
    attempts: [],
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

const tokensOf = ({ input_tokens, output_tokens }: TokenUsage) => ({ input_tokens, output_tokens });

/**
 * Usage and first token of the attempt that answered, else of the last; the others keep their own in
 * `attempts`. The cost is that of all, as far as it is known, and unknown if that of this one is.
 */
function totals({ attempts, served }: Decision): Pick<Decision, "usage" | "ttft_ms" | "cost_usd"> {
  const shown = attempts.findLast(({ target }) => target === served) ?? attempts.at(-1);
  let cost = 0;
  for (const { cost_usd } of attempts) cost += cost_usd ?? 0;
  const isKnown = shown !== undefined && shown.cost_usd !== null;
  return {
    usage: shown?.usage ?? null,
    ttft_ms: shown?.ttft_ms ?? null,
    cost_usd: isKnown ? cost : null,
  };
}
