import type { Failure } from "../health/failure.ts";
import { createStreamReader } from "../protocol/openai/stream.ts";
import { createFramer } from "../protocol/sse/framer.ts";
import type { Candidate } from "../routing/plan.ts";
import { inboundHeaders } from "../upstream/inbound-headers.ts";
import type { Instance } from "../upstream/instance.ts";
import { isEventStream, shapeOf } from "./answer-shape.ts";
import { type Attempting, beginAttempt } from "./attempting.ts";
import {
  failureOfAnswer,
  failureOfFault,
  failureOfPreamble,
  failureOfStop,
  malformed,
} from "./blame.ts";
import { type BodyReader, createBodyReader, readAll } from "./body-reader.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { explainComment } from "./explain-record.ts";
import { followStream } from "./follow-stream.ts";
import { type JsonAnswer, jsonAnswer, streamedAsJson } from "./json-answer.ts";
import { outgoing } from "./outgoing.ts";
import type { Run } from "./run.ts";
import { createConsumer } from "./stream-consumer.ts";
import { openStream } from "./stream-opening.ts";
import type { Stop } from "./watch.ts";

/** Error bodies are read up to here; the rest says nothing more. */
const MAX_ERROR_BYTES = 256 * 1024;

export type AttemptResult =
  | { readonly kind: "json"; readonly answer: JsonAnswer; readonly headers: Headers }
  | {
      readonly kind: "stream";
      readonly source: AsyncGenerator<Uint8Array>;
      readonly headers: Headers;
    }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "stopped"; readonly stop: Stop };

export interface AttemptInput {
  readonly run: Run;
  readonly candidate: Candidate;
  readonly instance: Instance;
  readonly retry: boolean;
}

/** One upstream call, up to its whole JSON answer, its first content, or its failure. */
export async function attempt(
  dependencies: RelayDependencies,
  input: AttemptInput,
): Promise<AttemptResult> {
  const attempting = beginAttempt(dependencies, input);
  const result = await carryOut(dependencies, input, attempting).catch(
    (error: unknown): AttemptResult => {
      const stop = attempting.watch.stopped();
      if (stop) return failureOfStop(stop);
      return { kind: "failed", failure: failureOfFault(error) };
    },
  );
  if (result.kind === "failed") attempting.fail(result.failure);
  if (result.kind === "stopped") attempting.stop(result.stop);
  return result;
}

async function carryOut(
  dependencies: RelayDependencies,
  input: AttemptInput,
  attempting: Attempting,
): Promise<AttemptResult> {
  const { run, instance, candidate, retry } = input;
  const { watch } = attempting;
  const checked = await dependencies.connectCheck.check(instance, watch.signal);
  const stop = watch.stopped();
  if (stop) return failureOfStop(stop);
  if (checked.kind === "failed") return { kind: "failed", failure: failureOfFault(checked.fault) };

  if (run.stream) watch.arm("first_byte_timeout", instance.timeouts.first_byte_ms);
  const response = await dependencies.send({
    ...outgoing(dependencies, { run, instance, target: candidate.member }),
    instance,
    signal: watch.signal,
    fresh: retry,
  });
  watch.disarm("first_byte_timeout");
  attempting.answered(response.status);
  dependencies.connectCheck.noteSuccess(instance);

  const reader = createBodyReader(response.body, watch);
  if (response.status < 200 || response.status > 299) {
    return refusedAnswer(dependencies, { reader, response, input });
  }
  return run.stream
    ? streamAnswer(dependencies, { reader, response, input, attempting })
    : wholeAnswer(dependencies, { reader, response, input, attempting });
}

interface Answering {
  readonly reader: BodyReader;
  readonly response: Response;
  readonly input: AttemptInput;
}

async function refusedAnswer(
  { clock }: RelayDependencies,
  { reader, response, input: { instance } }: Answering,
): Promise<AttemptResult> {
  const limits = { idle_ms: instance.timeouts.idle_ms, max_bytes: MAX_ERROR_BYTES };
  const read = await readAll(reader, limits);
  if (read.kind === "stopped") return failureOfStop(read.stop);
  const body = read.kind === "whole" ? new TextDecoder().decode(read.bytes) : "";
  const failure = failureOfAnswer({ instance, response, body, now: clock.now() });
  return { kind: "failed", failure };
}

interface Opened extends Answering {
  readonly attempting: Attempting;
}

/** Reads an answer to its end and judges it as one. */
async function wholeAnswer(
  dependencies: RelayDependencies,
  { reader, response, input, attempting }: Opened,
): Promise<AttemptResult> {
  const { run, instance } = input;
  const { max_answer_bytes: max_bytes, max_frame_bytes } = dependencies.settings();
  // A JSON answer is silent until it is done; a stream that turned out to be one still may not stall.
  const idle_ms = run.stream ? instance.timeouts.idle_ms : Number.POSITIVE_INFINITY;
  const read = await readAll(reader, { idle_ms, max_bytes });
  if (read.kind === "stopped") return failureOfStop(read.stop);
  if (read.kind === "broken") return { kind: "failed", failure: failureOfFault(read.error) };
  if (read.kind === "too_large") return malformed("the answer exceeds `routing.max_answer`");
  const context = { run, instance, response, clock: dependencies.clock, max_frame_bytes };
  const judged =
    shapeOf(read.bytes, response.headers) === "sse"
      ? streamedAsJson(read.bytes, context)
      : jsonAnswer(read.bytes, context);
  if (judged.kind === "failed") return judged;
  if (run.stream) attempting.firstToken();
  attempting.succeed(judged.answer);
  return { ...judged, headers: inboundHeaders(response.headers) };
}

async function streamAnswer(
  dependencies: RelayDependencies,
  opened: Opened,
): Promise<AttemptResult> {
  const { reader, response, input, attempting } = opened;
  const { run, instance } = input;
  const { idle_ms } = instance.timeouts;
  const shape = await sniff(reader, response.headers, idle_ms);
  if (typeof shape === "object") return failureOfStop(shape);
  if (shape === "json") return wholeAnswer(dependencies, opened);
  if (shape !== "sse" && !isEventStream(response.headers)) {
    reader.cancel();
    return malformed("the answer is neither JSON nor an event stream");
  }

  const stream = createStreamReader({
    dialect: run.request.dialect === "completions" ? "completions" : "chat",
    drop_usage: !run.wants_usage,
    newId: () => `call_${dependencies.newId().replaceAll("-", "")}`,
    onEdit: (edit) => run.entry.edit(edit),
  });
  const framer = createFramer({ max_frame: dependencies.settings().max_frame_bytes });
  const beforeDone = run.request.debug ? () => explainComment(run.entry.decision) : undefined;
  const consumer = createConsumer({ framer, stream, beforeDone });
  const opening = await openStream(reader, consumer, idle_ms);
  if (opening.kind === "preamble_too_long") {
    reader.cancel();
    return failureOfPreamble();
  }
  const parts = { reader, consumer, stream, instance, attempting, run, dependencies, response };
  const followed = followStream(opening, parts);
  if (followed.kind !== "stream") return followed;
  return { ...followed, headers: inboundHeaders(response.headers) };
}

/** Reads until the body shows its shape; what was read is read again by whoever follows. */
async function sniff(reader: BodyReader, headers: Headers, idle_ms: number) {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const read = await reader.read(idle_ms);
    if (read.kind === "stopped") return read.stop;
    if (read.kind === "broken") throw read.error;
    if (read.kind === "chunk") pieces.push(read.bytes);
    const start = Buffer.concat(pieces);
    const shape = shapeOf(start, headers);
    if (shape === "undecided" && read.kind === "chunk" && start.length < MAX_ERROR_BYTES) continue;
    reader.unread(start);
    return shape;
  }
}
