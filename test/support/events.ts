import type { Decision } from "../../src/routing/decision.ts";
import type { RoutingEvent } from "../../src/telemetry/events.ts";
import { attempt, decision } from "./decisions.ts";

export function requestEvent(changes: Partial<Decision> = {}): RoutingEvent {
  return { kind: "request", at: 1_764_460_800_500, decision: decision(changes), key_id: null };
}

type AttemptEvent = Extract<RoutingEvent, { kind: "attempt" }>;

export function attemptEvent(
  changes: Partial<AttemptEvent["attempt"]> = {},
  instance = "nim",
): AttemptEvent {
  return {
    kind: "attempt",
    at: 1_764_460_800_400,
    decision_id: "decision-1",
    request_id: "request-1",
    dialect: "chat",
    stream: false,
    instance,
    pool: "main",
    attempt: attempt(changes),
    finish_reason: "stop",
  };
}
