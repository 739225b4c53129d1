import type { Failure } from "../health/failure.ts";
import { assertNever } from "../lib/assert-never.ts";
import { joinBytes } from "../protocol/json/edit.ts";
import { openAiErrorFrame } from "../protocol/openai/error-frame.ts";
import type { createStreamReader } from "../protocol/openai/stream.ts";
import type { Instance } from "../upstream/instance.ts";
import { judgeEmpty } from "../verify/empty.ts";
import type { AttemptResult } from "./attempt.ts";
import type { Answered, Attempting } from "./attempting.ts";
import {
  failureOfAnswer,
  failureOfEmpty,
  failureOfFault,
  failureOfInterruption,
  failureOfStop,
  failureOfTimeout,
  malformed,
} from "./blame.ts";
import type { BodyReader } from "./body-reader.ts";
import { clientError } from "./client-error.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Run } from "./run.ts";
import type { Consumer, StreamEnd } from "./stream-consumer.ts";
import { consumeNext, type Opening } from "./stream-opening.ts";

interface Following {
  readonly reader: BodyReader;
  readonly consumer: Consumer;
  readonly stream: ReturnType<typeof createStreamReader>;
  readonly instance: Instance;
  readonly response: Response;
  readonly attempting: Attempting;
  readonly run: Run;
  readonly dependencies: RelayDependencies;
}

type Followed =
  | { readonly kind: "stream"; readonly source: AsyncGenerator<Uint8Array> }
  | Extract<AttemptResult, { kind: "failed" | "stopped" }>;

const NOTHING = new Uint8Array();

/** A stream that may go to the client from here on, or why nothing of it may. */
export function followStream(
  opening: Exclude<Opening, { kind: "preamble_too_long" }>,
  following: Following,
): Followed {
  const { attempting, reader } = following;
  if (opening.kind === "ended") {
    const refused = withoutContent(opening.end, following);
    if (refused) {
      reader.cancel();
      return refused;
    }
  } else {
    attempting.firstToken();
  }
  return { kind: "stream", source: carry(opening.held, opening.end, following) };
}

/** Judges a stream that ended before any content; undefined if it may pass as it is. */
function withoutContent(
  end: StreamEnd,
  following: Following,
): Extract<Followed, { kind: "failed" | "stopped" }> | undefined {
  switch (end.kind) {
    case "stopped":
      return failureOfStop(end.stop);
    case "too_large":
      return malformed("an event exceeds `routing.max_frame`");
    case "cut":
      return { kind: "failed", failure: failureOfFault(end.error) };
    case "error":
      return { kind: "failed", failure: errorFrameFailure(end.payload, following) };
    case "done":
      return judge(following) === "malformed_empty"
        ? { kind: "failed", failure: failureOfEmpty() }
        : undefined;
    default:
      return assertNever(end);
  }
}

/** The rest of a committed stream. Record and health are settled before the last bytes go out. */
async function* carry(
  held: Uint8Array,
  ended: StreamEnd | null,
  following: Following,
): AsyncGenerator<Uint8Array> {
  const { reader, consumer, instance, attempting, dependencies } = following;
  const { watch } = attempting;
  watch.disarm("first_token_timeout");
  watch.disarm("deadline");
  watch.arm("max_stream", dependencies.settings().max_stream_ms ?? Number.POSITIVE_INFINITY);
  let out = held;
  let end = ended;
  let isConcluded = false;
  try {
    while (!end) {
      if (out.length > 0) yield out;
      const consumed = await consumeNext(reader, consumer, instance.timeouts.idle_ms);
      ({ out, end } = consumed);
    }
    isConcluded = true;
    const tail = conclude(end, following);
    reader.cancel();
    if (out.length + tail.length > 0) yield joinBytes([out, tail]);
  } finally {
    if (!isConcluded) {
      conclude({ kind: "stopped", stop: { kind: "cancelled" } }, following);
      reader.cancel();
    }
  }
}

/** Settles attempt and decision; returns what the client must still be told. */
function conclude(end: StreamEnd, following: Following): Uint8Array {
  const { attempting, run, stream } = following;
  const { usage } = stream.facts();
  if (end.kind === "done") {
    attempting.succeed({ kind: judge(following), usage });
    run.entry.finish({ status: 200, outcome: "ok" });
    return NOTHING;
  }
  if (end.kind === "stopped" && end.stop.kind === "cancelled") {
    attempting.stop(end.stop, usage);
    run.entry.finish({ status: 499, outcome: "cancelled", error_code: "client_closed_request" });
    return NOTHING;
  }
  if (end.kind === "stopped" && end.stop.kind === "router_shutdown") {
    attempting.stop(end.stop, usage);
    run.entry.finish({ status: 200, outcome: "interrupted", error_code: "router_shutdown" });
    return errorFrame({ code: "router_shutdown", message: "the router is shutting down" });
  }
  const failure = failureOfEnd(end, following);
  attempting.fail(failure, usage);
  const error = clientError(failure, following);
  const outcome = end.kind === "error" ? "failed" : "interrupted";
  run.entry.finish({ status: 200, outcome, error_code: error.code });
  return errorFrame(error);
}

function errorFrame(error: Parameters<typeof openAiErrorFrame>[0]): Uint8Array {
  return new TextEncoder().encode(openAiErrorFrame(error));
}

function failureOfEnd(end: Exclude<StreamEnd, { kind: "done" }>, following: Following): Failure {
  if (end.kind === "error") return errorFrameFailure(end.payload, following);
  if (end.kind === "too_large") {
    return failureOfInterruption("an upstream event exceeded `routing.max_frame`");
  }
  if (end.kind === "cut") return failureOfInterruption("upstream ended the stream early");
  return end.stop.kind === "timeout"
    ? failureOfTimeout(end.stop)
    : failureOfInterruption("the stream was stopped");
}

function errorFrameFailure(payload: string, { instance, response, dependencies }: Following) {
  return failureOfAnswer({ instance, response, body: payload, now: dependencies.clock.now() });
}

function judge({ stream, run }: Following): Answered["kind"] {
  const { content, finish, usage } = stream.facts();
  const first = finish.values().next().value ?? null;
  const verdict = judgeEmpty({
    content,
    finish: first,
    output_tokens: usage?.output_tokens ?? null,
    max_tokens: run.max_tokens,
    is_after_tool_result: run.is_after_tool_result,
  });
  if (verdict === "empty") return "malformed_empty";
  return first === "content_filter" || content.refusal ? "refusal" : "ok";
}
