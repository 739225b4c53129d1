import { createParser } from "eventsource-parser";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Reads the fields of one frame's bytes, always as UTF-8. */
export function createFieldReader() {
  let event: string | undefined;
  let data: string | undefined;
  const parser = createParser({
    maxBufferSize: Number.POSITIVE_INFINITY,
    onEvent: (message) => {
      event = message.event;
      data = message.data;
    },
  });
  return (raw: Uint8Array) => {
    event = undefined;
    data = undefined;
    // The parser would drop a BOM from the start of each frame: after a line break there is no start.
    parser.feed(`\n${decoder.decode(raw)}\n\n`);
    parser.reset();
    return { event, data };
  };
}
