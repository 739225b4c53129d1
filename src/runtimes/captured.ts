import { MAX_OUTPUT } from "./command.ts";

export interface Captured {
  readonly text: () => string;
  readonly ended: Promise<void>;
}

/** Keeps the first and the last half: a traceback's reason is at the end, a banner at the beginning. */
export function capture(stream: ReadableStream<Uint8Array>): Captured {
  const half = MAX_OUTPUT / 2;
  let head = "";
  let tail = "";
  let dropped = false;
  const add = (text: string) => {
    const room = half - head.length;
    head += text.slice(0, room);
    tail += text.slice(Math.max(room, 0));
    if (tail.length <= half) return;
    dropped = true;
    tail = tail.slice(-half);
  };
  const read = async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
    } catch {
      // The pipe broke: what came is what there is.
    }
    add(decoder.decode());
  };
  return { text: () => (dropped ? `${head}\n[…]\n${tail}` : head + tail), ended: read() };
}
