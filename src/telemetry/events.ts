import type { FinishWord } from "../protocol/openai/finish-reason.ts";
import type { Attempt, Decision } from "../routing/decision.ts";

/** Emitted once per attempt and once per request, at its end. Carries no text of any request. */
export type RoutingEvent =
  | {
      readonly kind: "attempt";
      readonly at: number;
      readonly decision_id: string;
      readonly request_id: string;
      readonly dialect: string;
      readonly stream: boolean;
      readonly instance: string;
      readonly pool: string | null;
      readonly attempt: Attempt;
      /** How the answer ended; null where it did not say. */
      readonly finish_reason: FinishWord | null;
      /** When the trip rule counted its verdict, epoch ms; null or left out if it did not. */
      readonly applied_at?: number | null;
    }
  | {
      readonly kind: "request";
      readonly at: number;
      readonly decision: Decision;
      /** Id of the client's key; null if it was not made here or there is none. */
      readonly key_id: string | null;
    };

/** `record` is O(1) and does no synchronous I/O. */
export interface Sink {
  readonly name: string;
  record(event: RoutingEvent): void;
}

/** Fans events out; a throwing sink never reaches its neighbours or the caller. */
export interface EventHub {
  emit(event: RoutingEvent): void;
  /** Returns the function that removes the sink; a sink may remove itself while recording. */
  register(sink: Sink): () => void;
  /** How often each sink threw. */
  failures(): Readonly<Record<string, number>>;
}
