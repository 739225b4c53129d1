import { joinBytes } from "../../json/edit.ts";
import type { Frame } from "../../sse/framer.ts";
import { frameBytes, payloadOf } from "../../sse/payload.ts";

const LF = 0x0a;
const CR = 0x0d;

/** The frame with the `event:` line that it lacks; one that has another becomes a frame of ours. */
export function withEventLine(frame: Frame, type: string): Uint8Array {
  const { raw, event } = frame;
  const { bytes } = payloadOf(frame);
  const isInPlace = bytes.buffer === raw.buffer;
  if (event !== undefined || !isInPlace) return frameBytes(type, bytes);
  // Before the data itself: what stands before it may be the second half of a line break.
  let at = bytes.byteOffset - raw.byteOffset;
  while (at > 0 && raw[at - 1] !== LF && raw[at - 1] !== CR) at--;
  const line = new TextEncoder().encode(`event: ${type}\n`);
  return joinBytes([raw.subarray(0, at), line, raw.subarray(at)]);
}
