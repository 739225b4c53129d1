import { type ReadEvent, readFrame } from "../../anthropic/read-event.ts";
import type { Decoded, StreamDecoder } from "../translation.ts";
import { createEventDecoder, type DecodingOptions } from "./decode-events.ts";

const NOTHING: Decoded = { chunks: [], is_done: false, error: null };

/** Reads a Messages stream as chat chunks, frame by frame. It never throws, whatever the frames hold. */
export function createMessagesDecoder(options: DecodingOptions): StreamDecoder {
  const decoder = createEventDecoder(options);

  function decode(found: ReadEvent): Decoded {
    switch (found.kind) {
      case "error":
        return { ...NOTHING, error: found.payload };
      case "event": {
        const chunks = decoder.read(found.event);
        return { ...NOTHING, chunks, is_done: found.event.type === "message_stop" };
      }
      case "done":
        // Whoever ends a message the way chat does has still ended it.
        return { ...NOTHING, chunks: decoder.read({ type: "message_stop" }), is_done: true };
      default:
        return NOTHING;
    }
  }

  return {
    read(frame) {
      const [first = NOTHING, ...others] = readFrame(frame).map(decode);
      return others.reduce(joined, first);
    },
  };
}

/** After its end or an error nothing more counts. */
function joined(before: Decoded, next: Decoded): Decoded {
  if (before.is_done || before.error !== null) return before;
  return { ...next, chunks: [...before.chunks, ...next.chunks] };
}
