import { endpointKey } from "../canary/endpoints/endpoint.ts";
import type { Clock } from "../lib/clock.ts";
import type { FinishWord } from "../protocol/openai/finish-reason.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { Attempt, Decision } from "../routing/decision.ts";
import type { EventHub } from "../telemetry/events.ts";

/** What a call to a target cost, in USD; null if that is not known. */
export type CostOf = (
  call: { readonly target: string; readonly instance: string },
  usage: TokenUsage | null,
) => number | null;

/** What all attempts of a ledger have. */
export interface AttemptParts {
  readonly clock: Clock;
  readonly events: EventHub;
  readonly costOf: CostOf;
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** What is recorded of an end that has not come. */
export const IN_PROGRESS = "in_progress";

export interface StartedAttempt {
  readonly target: string;
  readonly instance: string;
  readonly retry: boolean;
}

/** How an attempt went. */
interface AttemptEnd {
  readonly kind: string;
  readonly status: number | null;
  readonly vendor_code?: string | null;
  readonly usage?: TokenUsage | null;
  /** What a gateway calls the host that answered. */
  readonly host?: string | null;
  readonly verification?: Attempt["verification"];
  readonly finish_reason?: FinishWord | null;
  /** When the trip rule counted the verdict, epoch ms. */
  readonly applied_at?: number | null;
}

/** An attempt of a decision while it is under way. */
export class AttemptEntry {
  readonly #parts: AttemptParts;
  readonly #decision: Decision;
  readonly #instance: string;
  readonly #attempt: Mutable<Attempt>;
  readonly #started: number;

  constructor(
    parts: AttemptParts,
    decision: Decision,
    { target, instance, retry }: StartedAttempt,
  ) {
    this.#parts = parts;
    this.#decision = decision;
    this.#instance = instance;
    this.#started = parts.clock.elapsed();
    this.#attempt = {
      n: decision.attempts.length + 1,
      target,
      endpoint: null,
      retry,
      kind: IN_PROGRESS,
      status: null,
      vendor_code: null,
      started_at: parts.clock.now(),
      duration_ms: 0,
      ttft_ms: null,
      usage: null,
      cost_usd: null,
      verification: null,
    };
    decision.attempts.push(this.#attempt);
  }

  /** Marks the first content-bearing delta. */
  firstToken(): void {
    this.#attempt.ttft_ms ??= this.#lasted();
  }

  /** Later calls change nothing. */
  end(end: AttemptEnd): void {
    const { kind, status, vendor_code = null, usage = null, host = null } = end;
    const attempt = this.#attempt;
    if (attempt.kind !== IN_PROGRESS) return;
    const { target } = attempt;
    attempt.kind = kind;
    attempt.status = status;
    attempt.vendor_code = vendor_code;
    attempt.duration_ms = this.#lasted();
    attempt.usage = usage && tokensOf(usage);
    attempt.cost_usd = this.#parts.costOf({ target, instance: this.#instance }, usage);
    attempt.verification = end.verification ?? null;
    if (host !== null) attempt.endpoint = endpointKey(target, host);
    this.#tell(end);
  }

  #lasted(): number {
    return tenths(this.#parts.clock.elapsed() - this.#started);
  }

  #tell({ finish_reason = null, applied_at = null }: AttemptEnd): void {
    const { id, request_id, dialect, stream, pool } = this.#decision;
    this.#parts.events.emit({
      kind: "attempt",
      at: this.#parts.clock.now(),
      decision_id: id,
      request_id,
      dialect,
      stream,
      pool,
      instance: this.#instance,
      attempt: this.#attempt,
      finish_reason,
      applied_at,
    });
  }
}

/** To a tenth of a millisecond. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const tokensOf = ({ input_tokens, output_tokens }: TokenUsage) => ({ input_tokens, output_tokens });
