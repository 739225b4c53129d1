import type { Target } from "../address/target.ts";
import type { Trip, TripState } from "../health/breaker.ts";
import type { Subject } from "../health/scope.ts";
import type { Dialect } from "../protocol/dialect.ts";
import type { ErrorCode } from "../protocol/error-codes.ts";
import type { Decision } from "../routing/decision.ts";
import type { Plan } from "../routing/plan.ts";
import type { Cleared } from "./clear-health.ts";
import type { SuspicionView } from "./signature-watch.ts";

/** A client request after authentication, its body read, decoded and checked. */
export interface ClientRequest {
  readonly dialect: Dialect;
  readonly request_id: string;
  /** The body's bytes, decompressed, otherwise as sent. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The same body parsed, for reading only. */
  readonly parsed: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  /** Id of the client's key, null if it was not made here or there is none. */
  readonly key_id: string | null;
  /** Profile of the client's key, null if it has none. */
  readonly key_profile: string | null;
  /** Adds the explain record to the answer. */
  readonly debug: boolean;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** A request that failed before it could be relayed, still owed a decision. */
export interface RejectedRequest {
  readonly dialect: Dialect;
  readonly request_id: string;
  readonly asked: string;
  readonly stream: boolean;
  readonly code: ErrorCode;
  readonly status: number;
  readonly key_id: string | null;
}

/** How busy and how fast a target is that was tried. */
export interface TargetLoad {
  readonly target: Target;
  readonly in_flight: number;
  /** Average of successful calls; null before the first. */
  readonly latency_ms: number | null;
}

export interface Cooldown {
  readonly target: string;
  /** Whether the target alone is benched, or its instance. */
  readonly scope: "target" | "instance";
  /** Failure kind it is for. */
  readonly kind: string;
  readonly vendor_code: string | null;
  /** Epoch ms. */
  readonly since_at: number;
  /** Null lasts until it is cleared. */
  readonly until_at: number | null;
}

/** An open breaker. */
export interface BreakerView extends Trip {
  readonly state: TripState;
}

export interface ExplainRequest {
  readonly dialect: Dialect;
  readonly parsed: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
  readonly key_profile: string | null;
}

/** A request whose body is on its way. */
export interface Arrival {
  /** Calls back when the router stops before the body is whole. */
  readonly onStop: (listener: () => void) => void;
  /** The body is read, or given up. */
  readonly end: () => void;
}

/** The data plane as the API sees it. */
export interface Relay {
  /** Counts a request as open before its body is read. */
  arrive(): Arrival;
  /** Always answers; errors are responses in the request's dialect. */
  handle(request: ClientRequest): Promise<Response>;
  /** How many tokens a Messages request would take; answered like `handle`. */
  countTokens(request: ClientRequest): Promise<Response>;
  /** Records the decision of a request refused by the API itself; returns its id. */
  recordRejected(request: RejectedRequest): string;
  /** The plan a request would get: no call, no state changed. */
  explain(request: ExplainRequest): Promise<Plan>;
  /** Decisions in progress and recently finished, before they reach the store. */
  findDecision(id: string): Decision | undefined;
  /** Of every target that was tried. */
  loads(): readonly TargetLoad[];
  cooldowns(): readonly Cooldown[];
  breakers(): readonly BreakerView[];
  /** What is held against instances and targets for what their answers look like. */
  suspicions(): readonly SuspicionView[];
  /** Opens a breaker by hand, as if answers had shown this signature. */
  tripSignature(subject: Subject, signature: string, detail: string): Trip;
  /** Lifts the signature trips of a subject, or one of them; returns how many. */
  clearSignature(subject: Pick<Subject, "subject">, signature: string | null): number;
  /** Lifts all that benches an instance or a target but exclusions. */
  clearHealth(subject: Subject): Cleared;
  /** Client requests open now, those whose body is on its way included. */
  inFlight(): number;
  /** No new attempts; open requests end properly within `drain_ms`. */
  shutdown(drain_ms: number): Promise<void>;
}
