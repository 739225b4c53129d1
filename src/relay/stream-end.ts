import type { Failure } from "../health/failure.ts";
import { assertNever } from "../lib/assert-never.ts";
import { joinBytes } from "../protocol/json/edit.ts";
import type { ErrorDetails } from "../protocol/openai/error-envelope.ts";
import { openAiErrorFrame } from "../protocol/openai/error-frame.ts";
import { isFiltered } from "../protocol/openai/finish-reason.ts";
import type { createStreamReader } from "../protocol/openai/stream.ts";
import { judgeEmpty } from "../verify/empty.ts";
import type { AttemptInput } from "./attempt.ts";
import type { AnsweredKind, Attempting } from "./attempting.ts";
import {
  failureOfAnswer,
  failureOfEmpty,
  failureOfFault,
  failureOfInterruption,
  failureOfTimeout,
  oversized,
  type Unanswered,
  unanswered,
} from "./blame.ts";
import { clientError } from "./client-error.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { explainComment } from "./explain-record.ts";
import { STOP_ERRORS } from "./stop-errors.ts";
import type { StreamEnd } from "./stream-consumer.ts";

const encoder = new TextEncoder();

/** An upstream's stream with everything its end is settled with. */
export interface UpstreamStream {
  readonly facts: ReturnType<typeof createStreamReader>["facts"];
  readonly response: Response;
  readonly input: AttemptInput;
  readonly attempting: Attempting;
  readonly dependencies: Pick<RelayDependencies, "clock" | "health" | "onFault">;
}

/** Judges a stream that ended before any content; undefined if it may pass as it is. */
export function refusalOf(end: StreamEnd, stream: UpstreamStream): Unanswered | undefined {
  stream.attempting.used(stream.facts().usage);
  switch (end.kind) {
    case "stopped":
      return unanswered(end.stop);
    case "too_large":
      return oversized("max_frame");
    case "cut":
      return { kind: "failed", failure: failureOfFault(end.error) };
    case "error":
      return { kind: "failed", failure: failureOfPayload(end.payload, stream) };
    case "done":
      return judge(stream) === "malformed_empty"
        ? { kind: "failed", failure: failureOfEmpty(firstFinish(stream)) }
        : undefined;
    default:
      return assertNever(end);
  }
}

/** Settles attempt, health and decision of a committed stream; returns its last bytes for the client. */
export function concludeStream(end: StreamEnd, stream: UpstreamStream): Uint8Array {
  const { attempting, input } = stream;
  const { entry } = input.run;
  attempting.used(stream.facts().usage);
  if (end.kind === "done") {
    attempting.succeed(judge(stream));
    entry.finish({ status: 200, outcome: "ok" });
    return joinBytes([encoder.encode(explainComment(input.run)), end.marker]);
  }
  if (end.kind === "stopped" && end.stop.kind !== "timeout") {
    attempting.stop(end.stop);
    return interrupt(STOP_ERRORS[end.stop.kind], input);
  }
  const failure = failureOfEnd(end, stream);
  attempting.fail(failure);
  const { started_at } = attempting;
  stream.dependencies.health.fail(input.candidate.member, failure, { started_at });
  return interrupt(clientError(failure, input), input);
}

/** The error event of a stream that the client has begun to read. */
function interrupt(error: ErrorDetails, { run }: AttemptInput): Uint8Array {
  const { code: error_code } = error;
  if (error_code === "client_closed_request") {
    run.entry.finish({ status: 499, outcome: "cancelled", error_code });
    return new Uint8Array();
  }
  run.entry.finish({ status: 200, outcome: "interrupted", error_code });
  return encoder.encode(explainComment(run) + openAiErrorFrame(error));
}

function failureOfEnd(end: Exclude<StreamEnd, { kind: "done" }>, stream: UpstreamStream): Failure {
  switch (end.kind) {
    case "error":
      return failureOfPayload(end.payload, stream);
    case "too_large":
      return failureOfInterruption("an upstream event exceeded `routing.max_frame`");
    case "cut":
      return failureOfInterruption("upstream ended the stream early");
    case "stopped":
      return end.stop.kind === "timeout"
        ? failureOfTimeout(end.stop)
        : failureOfInterruption("the stream was stopped");
    default:
      return assertNever(end);
  }
}

function failureOfPayload(
  body: string,
  { input, response, dependencies }: UpstreamStream,
): Failure {
  const now = dependencies.clock.now();
  return failureOfAnswer({ instance: input.instance, response, body, now });
}

function judge(stream: UpstreamStream): AnsweredKind {
  const { run } = stream.input;
  const { content, usage } = stream.facts();
  const first = firstFinish(stream);
  const verdict = judgeEmpty({
    content,
    finish: first,
    output_tokens: usage?.output_tokens ?? null,
    max_tokens: run.max_tokens,
    is_after_tool_result: run.is_after_tool_result,
  });
  if (verdict === "empty") return "malformed_empty";
  return isFiltered(first) || content.refusal ? "refusal" : "ok";
}

/** The finish reason of the first choice that named one, as the upstream spelled it. */
function firstFinish({ facts }: UpstreamStream): string | null {
  return facts().finish.values().next().value ?? null;
}
