import type { Attempt, Decision } from "../routing/decision.ts";
import { planView, type RoutePlan } from "../routing/plan.ts";
import {
  AttemptEntry,
  type AttemptParts,
  IN_PROGRESS,
  type Mutable,
  type StartedAttempt,
  tenths,
} from "./attempt-entry.ts";

/** What all entries of a ledger have. */
interface EntryParts extends AttemptParts {
  /** Called once for each entry, when its decision is complete. */
  readonly onFinish: (decision: Decision, key_id: string | null) => void;
}

/** What is known of a request as it begins. */
export interface BegunRequest extends Pick<
  Decision,
  "request_id" | "dialect" | "stream" | "asked"
> {
  /** Id of the client's key; said in the decision's last event, never stored with it. */
  readonly key_id: string | null;
}

interface DecisionEnd {
  readonly status: number;
  readonly outcome: Decision["outcome"];
  readonly error_code?: string | null;
}

/** The decision of one request while it is being made: the ways in which it grows. */
export class LedgerEntry {
  readonly id: string;
  readonly decision: Decision;
  /** On the clock that never jumps, ms. */
  readonly started: number;
  readonly #decision: Mutable<Decision>;
  readonly #parts: EntryParts;
  readonly #key_id: string | null;

  constructor(parts: EntryParts, id: string, request: BegunRequest) {
    this.id = id;
    this.#decision = unfinished(id, parts.clock.now(), request);
    this.decision = this.#decision;
    this.started = parts.clock.elapsed();
    this.#parts = parts;
    this.#key_id = request.key_id;
  }

  plan({ pool, lane, profile, strategy, candidates, notes }: RoutePlan): void {
    const decision = this.#decision;
    decision.pool = pool;
    decision.lane = lane;
    decision.profile = profile;
    decision.strategy = strategy;
    decision.plan = { candidates: planView(candidates).candidates, notes: [...notes] };
  }

  edit(name: string): void {
    const { edits } = this.#decision;
    if (!edits.includes(name)) edits.push(name);
  }

  startAttempt(attempt: StartedAttempt): AttemptEntry {
    return new AttemptEntry(this.#parts, this.#decision, attempt);
  }

  /** A target serves although something benches it. */
  degrade(): void {
    this.#decision.degraded = true;
  }

  serve(target: string): void {
    this.#decision.served = target;
  }

  /** Later calls change nothing. */
  finish({ status, outcome, error_code = null }: DecisionEnd): void {
    const decision = this.#decision;
    if (decision.outcome !== IN_PROGRESS) return;
    const shown = shownAttempt(decision);
    decision.status = status;
    decision.outcome = outcome;
    decision.error_code = error_code;
    decision.usage = shown?.usage ?? null;
    decision.ttft_ms = shown?.ttft_ms ?? null;
    decision.cost_usd = shown === undefined ? null : totalCost(decision, shown);
    decision.duration_ms = tenths(this.#parts.clock.elapsed() - this.started);
    this.#parts.onFinish(decision, this.#key_id);
  }
}

/** Of whose usage and first token a decision tells: the attempt that answered, else the last one. */
function shownAttempt({ attempts, served }: Decision): Attempt | undefined {
  for (let n = attempts.length - 1; n >= 0; n--) {
    if (attempts[n]?.target === served) return attempts[n];
  }
  return attempts.at(-1);
}

/** The cost of all attempts, as far as it is known, and unknown if that of the shown one is. */
function totalCost({ attempts }: Decision, shown: Attempt): number | null {
  if (shown.cost_usd === null) return null;
  let cost = 0;
  for (const { cost_usd } of attempts) cost += cost_usd ?? 0;
  return cost;
}

const MAX_ASKED = 256;

const NO_PLAN: Decision["plan"] = { candidates: [], notes: [] };

/** A decision about which only the request is known. */
function unfinished(
  id: string,
  at: number,
  { request_id, dialect, stream, asked }: BegunRequest,
): Mutable<Decision> {
  return {
    id,
    at,
    request_id,
    dialect,
    stream,
    asked: asked.slice(0, MAX_ASKED),
    served: null,
    profile: null,
    lane: null,
    pool: null,
    strategy: null,
    status: null,
    error_code: null,
    outcome: IN_PROGRESS,
    degraded: false,
    edits: [],
    duration_ms: null,
    ttft_ms: null,
    usage: null,
    cost_usd: null,
    plan: NO_PLAN,
    attempts: [],
  };
}
