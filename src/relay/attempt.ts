import type { Dialect } from "../protocol/dialect.ts";
import type { Candidate, Scrutiny } from "../routing/plan.ts";
import type { Instance } from "../upstream/instance.ts";
import { isEventStream } from "./answer-shape.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { Attempting } from "./attempting.ts";
import {
  failureOfAnswer,
  failureOfConnect,
  failureOfFault,
  type Unanswered,
  unanswered,
} from "./blame.ts";
import { type BodyReader, createBodyReader, readErrorBody } from "./body-reader.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { eventStream } from "./event-stream.ts";
import { outgoing } from "./outgoing.ts";
import type { Run } from "./run.ts";
import { sniff } from "./sniff.ts";
import type { Watch } from "./watch.ts";
import { wholeAnswer } from "./whole-answer.ts";

export interface AttemptInput {
  readonly run: Run;
  readonly candidate: Candidate;
  readonly instance: Instance;
  readonly retry: boolean;
  readonly scrutiny: Scrutiny;
  /** No pool chose the target. */
  readonly pinned: boolean;
  /** The attempt has ended, a stream with its last byte. */
  readonly onOver: () => void;
}

/** One upstream call, up to its whole JSON answer, its first content, or its failure. */
export async function attempt(
  dependencies: RelayDependencies,
  input: AttemptInput,
): Promise<AttemptResult> {
  const attempting = new Attempting(dependencies, input);
  try {
    const sent = await sendTo(dependencies, input, attempting.watch);
    const result =
      sent.kind === "answered" ? await readAnswer(dependencies, sent, { input, attempting }) : sent;
    if (result.kind === "failed") attempting.fail(result.failure);
    if (result.kind === "stopped") attempting.stop(result.stop);
    return result;
  } catch (error) {
    // A fault of ours must not look like the upstream's.
    attempting.watch.abort({ kind: "router_fault" });
    attempting.stop({ kind: "router_fault" });
    throw error;
  }
}

function readAnswer(
  dependencies: RelayDependencies,
  { response, wire }: Extract<Sent, { kind: "answered" }>,
  { input, attempting }: Pick<Answering, "input" | "attempting">,
): Promise<AttemptResult> {
  attempting.answered(response.status);
  dependencies.connectCheck.noteSuccess(input.instance);
  if (response.ok) {
    const header = response.headers.get("content-type");
    dependencies.answerTypes.note(input.instance.name, header, dependencies.clock.now());
  }

  const reader = createBodyReader(response, attempting.watch);
  const answering = { reader, response, wire, input, attempting };
  if (response.status < 200 || response.status > 299) return errorAnswer(dependencies, answering);
  return input.run.stream
    ? streamAnswer(dependencies, answering)
    : wholeAnswer(dependencies, answering);
}

type Sent =
  { readonly kind: "answered"; readonly response: Response; readonly wire: Dialect } | Unanswered;

/** Up to the upstream's status and headers. */
async function sendTo(
  dependencies: RelayDependencies,
  { run, instance, candidate, retry, pinned }: AttemptInput,
  watch: Watch,
): Promise<Sent> {
  const { connectCheck, send } = dependencies;
  const { connect_ms, first_byte_ms } = instance.timeouts;
  if (!connectCheck.isTrusted(instance)) {
    const checked = await connectCheck.check(instance, watch.signal);
    const stop = watch.stopped();
    if (stop) return unanswered(stop);
    if (checked.kind === "failed") return failureOfConnect(checked.fault, connect_ms);
  }
  const told = outgoing(dependencies, { run, instance, candidate, pinned });
  if (told.kind === "failed") return told;
  const { wire, path, headers, body, custom_tools } = told;
  run.sent = { wire, body, custom_tools };
  if (run.stream) watch.arm("first_byte_timeout", first_byte_ms);
  try {
    const { signal } = watch;
    const response = await send({ path, headers, body, instance, signal, fresh: retry });
    return { kind: "answered", response, wire };
  } catch (error) {
    const late = watch.stopped();
    return late ? unanswered(late) : { kind: "failed", failure: failureOfFault(error) };
  } finally {
    watch.disarm("first_byte_timeout");
  }
}

/** An attempt whose upstream has begun to answer. */
export interface Answering {
  readonly reader: BodyReader;
  readonly response: Response;
  /** The dialect that the target was spoken to in, and answers in. */
  readonly wire: Dialect;
  readonly input: AttemptInput;
  readonly attempting: Attempting;
}

async function errorAnswer(
  { clock }: RelayDependencies,
  { reader, response, input: { instance }, attempting: { watch } }: Answering,
): Promise<Unanswered> {
  const body = await readErrorBody(reader);
  const stop = watch.stopped();
  if (stop && stop.kind !== "timeout") return { kind: "stopped", stop };
  const failure = failureOfAnswer({ instance, response, body, now: clock.now() });
  return { kind: "failed", failure };
}

async function streamAnswer(
  dependencies: RelayDependencies,
  answering: Answering,
): Promise<AttemptResult> {
  const { reader, response, input } = answering;
  const { instance } = input;
  const sniffed = await sniff(reader, response.headers);
  if (sniffed.kind === "stopped") return unanswered(sniffed.stop);
  if (sniffed.kind === "broken") return { kind: "failed", failure: failureOfFault(sniffed.error) };
  if (sniffed.shape === "json") return wholeAnswer(dependencies, answering);
  if (sniffed.shape === "sse" || isEventStream(response.headers)) {
    return eventStream(dependencies, answering);
  }
  reader.cancel();
  const body = new TextDecoder().decode(sniffed.start);
  const now = dependencies.clock.now();
  return { kind: "failed", failure: failureOfAnswer({ instance, response, body, now }) };
}
