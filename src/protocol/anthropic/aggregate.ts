import { isTooDeep } from "../json/nesting.ts";
import type { Aggregate } from "../openai/aggregate.ts";
import type { Frame } from "../sse/framer.ts";
import { createMessageJoiner } from "./join-events.ts";
import { readFrame } from "./read-event.ts";

/** Puts a Messages stream together for a client that asked for JSON. */
export function aggregateMessages(frames: readonly Frame[]): Aggregate {
  const joiner = createMessageJoiner();
  let isDone = false;
  for (const found of frames.flatMap(readFrame)) {
    if (found.kind === "error") return { kind: "error", payload: found.payload };
    isDone ||= found.kind === "done";
    if (isDone) break;
    if (found.kind !== "event") continue;
    if (isTooDeep(found.event)) return { kind: "too_deep" };
    joiner.add(found.event);
    isDone = found.event.type === "message_stop";
    if (isDone) break;
  }
  const body = joiner.body();
  const is_finished = isDone || joiner.isFinished();
  return body ? { kind: "answer", body, is_finished } : { kind: "nothing" };
}
