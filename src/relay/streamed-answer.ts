import { aggregateMessages } from "../protocol/anthropic/aggregate.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { isTooDeep } from "../protocol/json/nesting.ts";
import { type Aggregate, aggregateStream } from "../protocol/openai/aggregate.ts";
import { createCallIds } from "../protocol/openai/call-ids.ts";
import { finalResponse } from "../protocol/responses/final-response.ts";
import { createFramer, type Frame } from "../protocol/sse/framer.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import { decodedFrames } from "../protocol/translate/stream-reader.ts";
import { badAnswer, failureOfAnswer, failureOfFault } from "./blame.ts";
import { type AnswerContext, jsonAnswer, type Judged, TOO_DEEP } from "./json-answer.ts";

/** A stream that came although JSON was asked for, put together. */
export function streamedAsJson(bytes: Uint8Array, context: AnswerContext): Judged {
  // The answer as a whole is within its limit, so each of its events is.
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const { frames } = framer.push(bytes);
  const last = framer.end();
  const { joined, wire } = join(last ? [...frames, last] : frames, context);
  if (joined.kind === "nothing") {
    return badAnswer("the answer is an event stream without events");
  }
  if (joined.kind === "too_deep") return badAnswer(TOO_DEEP);
  if (joined.kind === "error") {
    return { kind: "failed", failure: failureOfAnswer({ ...context, body: joined.payload }) };
  }
  if (!joined.is_finished) return { kind: "failed", failure: failureOfFault(null) };
  context.run.entry.edit("sse_to_json");
  const text = JSON.stringify(joined.body);
  return jsonAnswer(new TextEncoder().encode(text), { ...context, wire });
}

interface Joined {
  readonly joined: Aggregate;
  /** The dialect that the whole answer is in. */
  readonly wire: Dialect;
}

function join(frames: readonly Frame[], { wire, run }: AnswerContext): Joined {
  if (wire === "messages") return { joined: aggregateMessages(frames), wire };
  const { entry, request, egress } = run;
  const options = {
    dialect: request.dialect === "completions" ? request.dialect : "chat",
    newId: createCallIds(entry.id),
    onEdit: (edit: string) => entry.edit(edit),
  } as const;
  if (wire !== "responses") return { joined: aggregateStream(frames, options), wire };
  const decoder = FORMATS[wire].createDecoder(egress.identity());
  const joined = aggregateStream(decodedFrames(decoder, frames), options);
  // The client's own dialect says it whole at its end; for others it is what was read as chat.
  const own = request.dialect === wire ? finalResponse(frames) : null;
  if (own === null || joined.kind !== "answer") return { joined, wire: "chat" };
  return { joined: isTooDeep(own) ? { kind: "too_deep" } : { ...joined, body: own }, wire };
}
