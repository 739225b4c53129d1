import { isFilledText, objectOf } from "../../openai/fields.ts";
import { emptyMessage } from "../empty-message.ts";
import { eventText } from "../event-text.ts";
import type { MessagesEvent } from "../read-event.ts";
import { type CallState, repairStop } from "../stop-reason.ts";
import { createOpenBlocks } from "./open-blocks.ts";
import {
  blockRepairs,
  endRepairs,
  outputTokensIn,
  type Repairs,
  startRepairs,
} from "./repair-event.ts";

export interface LifecycleOptions {
  /** For a message whose upstream leaves out its beginning. */
  readonly id: string;
  readonly model: string;
  /** Told the name of every edit made. */
  readonly onEdit: (edit: string) => void;
  /** What the answer has called so far. */
  readonly calls: () => CallState;
}

const NO_REPAIRS: Repairs = new Map();

/** Follows a message from its start to its stop, and knows which events its upstream left out. */
export function createLifecycle({ id, model, onEdit, calls }: LifecycleOptions) {
  const fallback = emptyMessage({ id, model, usage: { input_tokens: 0, output_tokens: 0 } });
  const blocks = createOpenBlocks();
  let isStarted = false;
  let output_tokens = 0;
  let stop_reason: string | null = null;

  function missing(edit: string, events: readonly MessagesEvent[]): string {
    if (events.length > 0) onEdit(edit);
    return events.map(eventText).join("");
  }

  /** SDKs drop what comes before the message itself. */
  function beginning(): string {
    if (isStarted) return "";
    isStarted = true;
    return missing("message_start", [{ type: "message_start", message: fallback }]);
  }

  const closing = () => missing("block_stop", blocks.closeAll().map(stopOf));

  function ending(): string {
    if (stop_reason !== null || blocks.isEmpty()) return "";
    stop_reason = calls() === "broken" ? "max_tokens" : repairStop("end_turn", calls());
    const delta = { stop_reason, stop_sequence: null };
    return missing("finish_chunk", [{ type: "message_delta", delta, usage: { output_tokens } }]);
  }

  function endsWith(event: MessagesEvent): Repairs {
    const reason = objectOf(event["delta"])["stop_reason"];
    if (isFilledText(reason)) stop_reason = repairStop(reason, calls());
    output_tokens = outputTokensIn(event["usage"]) ?? output_tokens;
    return endRepairs(event, { output_tokens, stop_reason });
  }

  return {
    isStarted: (): boolean => isStarted,

    /** What must stand before the event. */
    before({ type }: MessagesEvent): string {
      if (type === "message_stop") return beginning() + closing() + ending();
      if (type === "message_delta") return beginning() + closing();
      return type.startsWith("content_block_") ? beginning() : "";
    },

    /** Takes in the event; returns what must be repaired in it. */
    note(event: MessagesEvent): Repairs {
      const { type } = event;
      if (type === "message_start") {
        isStarted = true;
        output_tokens = outputTokensIn(objectOf(event["message"])["usage"]) ?? 0;
        return startRepairs(event, fallback);
      }
      if (type === "message_delta") return endsWith(event);
      return type.startsWith("content_block_")
        ? blockRepairs(event, blocks.place(event))
        : NO_REPAIRS;
    },

    /** What a stream lacks that ends here in place of its `message_stop`. */
    end: (): string =>
      beginning() + closing() + ending() + missing("message_stop", [{ type: "message_stop" }]),
  };
}

const stopOf = (index: number): MessagesEvent => ({ type: "content_block_stop", index });
