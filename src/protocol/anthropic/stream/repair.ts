import { applyEdits, joinBytes } from "../../json/edit.ts";
import type { Frame } from "../../sse/framer.ts";
import { closedFrame, frameBytes, payloadOf } from "../../sse/payload.ts";
import type { MessagesEvent } from "../read-event.ts";
import { withEventLine } from "./event-line.ts";
import { createLifecycle, type LifecycleOptions } from "./lifecycle.ts";
import { repairEdits, type Repairs } from "./repair-event.ts";

/** An event in the frame it came in. */
export interface Framed {
  readonly frame: Frame;
  readonly event: MessagesEvent;
  /** The payload itself names the type. */
  readonly is_typed: boolean;
}

const NOTHING = new Uint8Array();

/** Repairs a Messages stream where SDKs would throw or lose what it says; all else passes as it came. */
export function createMessagesRepair(options: LifecycleOptions) {
  const { onEdit } = options;
  const lifecycle = createLifecycle(options);

  function edited({ frame, event, is_typed }: Framed, found: Repairs): Uint8Array {
    const { type } = event;
    const repairs = is_typed ? found : new Map([...found, ["type", JSON.stringify(type)]]);
    const isNamed = frame.event === type;
    if (!isNamed) onEdit("event_line");
    if (repairs.size === 0) return isNamed ? frame.raw : withEventLine(frame, type);
    onEdit("messages_event");
    const payload = payloadOf(frame);
    const edits = repairEdits(payload.bytes, repairs);
    return isNamed ? payload.edited(edits) : frameBytes(type, applyEdits(payload.bytes, edits));
  }

  return {
    /** The bytes to forward for a frame with this event; empty if it is dropped. */
    repaired(framed: Framed): Uint8Array {
      const { frame, event } = framed;
      // SDKs throw when a message starts twice.
      if (event.type === "message_start" && lifecycle.isStarted()) {
        onEdit("dropped_frame");
        return NOTHING;
      }
      const missed = lifecycle.before(event);
      const bytes = closedFrame(frame, edited(framed, lifecycle.note(event)));
      return missed === "" ? bytes : joinBytes([new TextEncoder().encode(missed), bytes]);
    },

    /** What a stream still lacks that ends here, after a stop reason or with another's marker. */
    missingEnd: (): Uint8Array => new TextEncoder().encode(lifecycle.end()),
  };
}
