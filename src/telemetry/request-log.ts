import type { Decision } from "../routing/decision.ts";
import type { Sink } from "./events.ts";
import { type Log, logLater } from "./log.ts";

/** One line per request, at its end. What the client asked for is left out: it is the client's text. */
export function createRequestLog(log: Log): Sink {
  return {
    name: "log",
    record: (event) => {
      if (event.kind !== "request") return;
      const { at, decision, key_id } = event;
      logLater(log, "request", { at, fields: () => ({ ...lineOf(decision), key_id }) });
    },
  };
}

function lineOf(decision: Decision) {
  return {
    request_id: decision.request_id,
    decision_id: decision.id,
    dialect: decision.dialect,
    stream: decision.stream,
    outcome: decision.outcome,
    status: decision.status,
    error_code: decision.error_code,
    target: decision.served,
    pool: decision.pool,
    lane: decision.lane,
    attempts: decision.attempts.length,
    kinds: decision.attempts.map((attempt) => attempt.kind),
    duration_ms: decision.duration_ms,
    ttft_ms: decision.ttft_ms,
    input_tokens: decision.usage?.input_tokens ?? null,
    output_tokens: decision.usage?.output_tokens ?? null,
    cost_usd: decision.cost_usd,
  };
}
