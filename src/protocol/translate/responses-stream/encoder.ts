import type { ResponseContext } from "../../responses/response-object.ts";
import type { StreamEncoder } from "../translation.ts";
import { eventFrames } from "./event-log.ts";
import { createResponseEvents, type ResumePoint } from "./response-events.ts";

/**
 * Writes chat chunks as a Responses stream. With `resume` it is there to fail a stream that was passed
 * through so far: its numbers go on from there, and nothing is announced again.
 */
export function createResponsesEncoder(
  context: ResponseContext,
  resume?: ResumePoint,
): StreamEncoder {
  const events = createResponseEvents(context, resume);
  return {
    push: (chunk) => eventFrames(events.push(chunk)),
    end: () => eventFrames(events.end()),
    fail: (failure) => eventFrames(events.fail(failure)),
  };
}
