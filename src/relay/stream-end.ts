import type { Failure } from "../health/failure.ts";
import { assertNever } from "../lib/assert-never.ts";
import { joinBytes } from "../protocol/json/edit.ts";
import { isFiltered } from "../protocol/openai/finish-reason.ts";
import type { createStreamReader, StreamFacts } from "../protocol/openai/stream.ts";
import type { StreamFailure } from "../protocol/translate/translation.ts";
import type { AnswerScan } from "./answer-scan.ts";
import type { AttemptInput } from "./attempt.ts";
import type { Attempting } from "./attempting.ts";
import {
  failureOfAnswer,
  failureOfFault,
  failureOfInterruption,
  failureOfOutput,
  failureOfOverfull,
  failureOfTimeout,
  isOverfull,
  oversized,
  type Unanswered,
  unanswered,
} from "./blame.ts";
import { clientError } from "./client-error.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { explainComment } from "./explain-record.ts";
import { type AnsweredKind, type Judgement, outputFault } from "./judgement.ts";
import { STOP_ERRORS } from "./stop-errors.ts";
import type { StreamEnd } from "./stream-consumer.ts";

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();

/** An upstream's stream with everything its end is settled with. */
export interface UpstreamStream {
  readonly stream: Pick<ReturnType<typeof createStreamReader>, "facts" | "choices">;
  /** Null where nobody is to judge. */
  readonly scan: AnswerScan | null;
  readonly response: Response;
  readonly input: AttemptInput;
  readonly attempting: Attempting;
  readonly dependencies: Pick<RelayDependencies, "clock" | "health" | "onFault">;
}

/** A stream that ended before the client saw any of it. */
export type Unseen =
  | Unanswered
  /** It may pass, or, with a failure, passes only if nobody does better. */
  | {
      readonly kind: "complete";
      readonly judgement: Judgement | null;
      readonly failure: Failure | null;
    };

/** What becomes of a stream that ended unseen. */
export function judgeUnseen(end: StreamEnd, upstream: UpstreamStream): Unseen {
  const facts = upstream.stream.facts();
  upstream.attempting.used(facts.usage);
  upstream.attempting.finished(firstFinish(facts));
  switch (end.kind) {
    case "stopped":
      return unanswered(end.stop);
    case "too_large":
      return oversized("max_frame");
    case "cut":
      return { kind: "failed", failure: failureOfFault(end.error) };
    case "error":
      return { kind: "failed", failure: failureOfPayload(end.payload, upstream) };
    case "done":
      return judgeComplete(end, upstream, facts);
    default:
      return assertNever(end);
  }
}

function judgeComplete(end: StreamEnd, upstream: UpstreamStream, facts: StreamFacts): Unseen {
  const { input, attempting } = upstream;
  const { content, usage } = facts;
  const { window_tokens } = input.candidate;
  const finish = firstFinish(facts);
  if (isOverfull({ content, finish, usage, window_tokens })) return failureOfOverfull();
  const judgement = judge(end, upstream, facts);
  const passes: Unseen = { kind: "complete", judgement, failure: null };
  if (judgement === null || input.scrutiny.verify !== "rescue") return passes;
  const fault = outputFault(judgement, input.run.settings.ignored_signatures);
  if (fault === null) return passes;
  const failure = failureOfOutput(fault, judgement.verdict);
  if (fault !== "malformed_empty") return { kind: "complete", judgement, failure };
  attempting.judged(judgement);
  return { kind: "failed", failure };
}

/** The judgement on a stream that has ended; null if nobody is to judge, or nothing can be said. */
function judge(
  end: StreamEnd,
  { stream, scan }: UpstreamStream,
  { usage }: StreamFacts,
): Judgement | null {
  const is_client_gone = end.kind === "stopped" && end.stop.kind === "cancelled";
  // A connection that broke, or that we cut, says nothing of the output.
  const isOver = end.kind === "done" || (end.kind === "cut" && end.error === null);
  if (scan === null || !(isOver || is_client_gone)) return null;
  // Whoever closes after a finish has not said so, but nobody asks where there is a finish.
  const is_done = end.kind === "done";
  return scan.end({ choices: stream.choices(), usage, is_done, is_client_gone });
}

/**
 * Settles attempt, health and decision of a committed stream; returns its last bytes for the client.
 * `known` is the judgement if it was made before.
 */
export function concludeStream(
  end: StreamEnd,
  upstream: UpstreamStream,
  known: Judgement | null,
): Uint8Array {
  const { attempting, input, stream } = upstream;
  const facts = stream.facts();
  attempting.used(facts.usage);
  attempting.finished(firstFinish(facts));
  const judgement = known ?? judge(end, upstream, facts);
  if (judgement !== null) attempting.judged(judgement);
  if (end.kind === "done") {
    attempting.succeed(answeredKind(judgement, input, facts));
    input.run.entry.finish({ status: 200, outcome: "ok" });
    return explained(input, end.marker);
  }
  if (end.kind === "stopped" && end.stop.kind !== "timeout") {
    attempting.stop(end.stop);
    return interrupt(STOP_ERRORS[end.stop.kind], input);
  }
  const failure = failureOfEnd(end, upstream);
  attempting.fail(failure);
  const { started_at } = attempting;
  upstream.dependencies.health.fail(input.candidate.member, failure, { started_at });
  return interrupt(clientError(failure, input), input);
}

function answeredKind(
  judgement: Judgement | null,
  { run }: AttemptInput,
  facts: StreamFacts,
): AnsweredKind {
  const fault = judgement && outputFault(judgement, run.settings.ignored_signatures);
  if (fault !== null) return fault;
  return isFiltered(firstFinish(facts)) || facts.content.refusal ? "refusal" : "ok";
}

/** The error event of a stream that the client has begun to read. */
function interrupt(error: StreamFailure, input: AttemptInput): Uint8Array {
  const { run } = input;
  const { code: error_code } = error;
  if (error_code === "client_closed_request") {
    run.entry.finish({ status: 499, outcome: "cancelled", error_code });
    return NOTHING;
  }
  run.entry.finish({ status: 200, outcome: "interrupted", error_code });
  return explained(input, run.egress.fail(error));
}

/** A stream's last bytes, after the decision where the client asked for it. */
function explained({ run }: AttemptInput, last: Uint8Array): Uint8Array {
  const comment = explainComment(run);
  return comment === "" ? last : joinBytes([encoder.encode(comment), last]);
}

function failureOfEnd(
  end: Exclude<StreamEnd, { kind: "done" }>,
  upstream: UpstreamStream,
): Failure {
  switch (end.kind) {
    case "error":
      return failureOfPayload(end.payload, upstream);
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

/** The finish reason of the first choice that named one, as the upstream spelled it. */
function firstFinish({ finish }: StreamFacts): string | null {
  return finish.values().next().value ?? null;
}
