import type { ErrorCode } from "../protocol/error-codes.ts";
import { FAILURE_FACTS } from "./failure-facts.ts";
import type { Failure, FailureKind } from "./failure.ts";

/** What keeps a candidate from serving for a time. */
export interface Benched {
  /** The failure it is benched for; null for an open breaker, which is no failure of this request. */
  readonly kind: FailureKind | null;
  /** Epoch ms; null lasts until it is cleared. */
  readonly until_at: number | null;
}

/** Everything one request met without getting an answer. */
export interface FinalStatusInput {
  /** How each attempt ended, in order. */
  readonly failures: readonly Failure[];
  /** What benches the candidates now, tried or not. */
  readonly benched: readonly Benched[];
  /** A candidate with a larger window was left when the attempts ran out. */
  readonly larger_window_left?: boolean;
  /** Epoch ms. */
  readonly now: number;
}

export interface FinalStatus {
  readonly code: ErrorCode;
  readonly status: number;
  /** Milliseconds until another request may do better; null if none is known. */
  readonly retry_after_ms: number | null;
  /** False becomes `x-should-retry: false`: the router has tried already, SDKs would multiply it. */
  readonly should_retry: boolean;
}

/** SDKs ignore a longer wait and fall back to their own, much shorter one. */
const LONGEST_RETRY_MS = 60_000;

/** Another process will have taken over by then. */
const SHUTDOWN_WAIT_MS = 1000;

/** Kinds that decide only if everything tried or benched agrees. */
const UNANIMOUS: readonly FailureKind[] = ["insufficient_credit", "rate_limit"];

/** What an OpenAI client is told once no candidate is left. */
export function finalStatus(input: FinalStatusInput): FinalStatus {
  const kind = decidingKind(input);
  const { client_code: code, client_status: status } =
    kind === null ? NO_TARGET : FAILURE_FACTS[kind];
  const isTransient = status === 429 || status === 503;
  const retry_after_ms = isTransient ? shortestWait(input, kind) : null;
  const should_retry = retry_after_ms !== null && retry_after_ms <= LONGEST_RETRY_MS;
  return { code, status, retry_after_ms, should_retry };
}

const NO_TARGET = { client_code: "no_target_available", client_status: 503 } as const;

function decidingKind({
  failures,
  benched,
  larger_window_left,
}: FinalStatusInput): FailureKind | null {
  const met = [...failures, ...benched].map(({ kind }) => kind);
  const all = (kind: FailureKind) => met.length > 0 && met.every((other) => other === kind);
  const agreed = UNANIMOUS.find(all);
  if (agreed !== undefined) return agreed;
  const isTooLong = failures.some(({ kind }) => kind === "context_length");
  if (isTooLong && larger_window_left !== true) return "context_length";
  if (all("model_not_found")) return "model_not_found";
  return failures.at(-1)?.kind ?? null;
}

/** The soonest instant at which something may work again, as a wait from now. */
function shortestWait(
  { failures, benched, now }: FinalStatusInput,
  kind: FailureKind | null,
): number | null {
  if (kind === "router_shutdown") return SHUTDOWN_WAIT_MS;
  // Waiting never makes one request smaller.
  if (kind === "request_too_large_for_tier") return null;
  const left = benched.map(({ until_at }) => (until_at === null ? null : until_at - now));
  const named = failures.map(({ retry_after_ms }) => retry_after_ms);
  const guessed = failures.map(({ cooldown_ms }) => cooldown_ms);
  return shortest([...left, ...named]) ?? shortest(guessed);
}

function shortest(waits: readonly (number | null)[]): number | null {
  const real = waits.filter((wait) => wait !== null).filter((wait) => wait > 0);
  return real.length === 0 ? null : Math.min(...real);
}
