import type { MessagesEvent } from "../../anthropic/read-event.ts";
import { type CallState, stopOfFinish } from "../../anthropic/stop-reason.ts";
import { isFilledText, type JsonObject } from "../../openai/fields.ts";

/** Collects what a stream says of its end, which may come in several chunks. */
export function createFinish() {
  let finish: string | null = null;
  let native: unknown;
  let sequence: string | null = null;
  let refusal: string | null = null;
  return {
    read({ finish_reason: reason, native_finish_reason: own, stop_reason: met }: JsonObject): void {
      if (isFilledText(reason)) finish = reason;
      if (isFilledText(own)) native = own;
      // Servers of open weights name the stop string that they met.
      if (isFilledText(met)) sequence = met;
    },

    refuse(text: string): void {
      refusal = (refusal ?? "") + text;
    },

    /** The event that tells why the message ended, and what it came to. */
    event(calls: CallState, usage: JsonObject): MessagesEvent {
      const stop = stopOfFinish({ finish, native, calls, is_refused: refusal !== null });
      const isSequence = stop === "end_turn" && sequence !== null;
      const details = { type: "refusal", category: null, explanation: refusal };
      const delta = {
        stop_reason: isSequence ? "stop_sequence" : stop,
        stop_sequence: isSequence ? sequence : null,
        ...(stop === "refusal" && { stop_details: details }),
      };
      return { type: "message_delta", delta, usage };
    },
  };
}
