import { fitsNowhere } from "../routing/overflow.ts";
import { speaksNowhere } from "../routing/untranslatable.ts";
import {
  type Answered,
  errorAnswer,
  type FailedAnswer,
  streamAnswer,
  wholeAnswer,
} from "./answers.ts";
import { beginRun, followClient } from "./begin-run.ts";
import { carryOut } from "./carry-out.ts";
import { chatView } from "./chat-view.ts";
import type { ClientRequest, RejectedRequest, Relay } from "./client-request.ts";
import { errorResponse, jsonResponse } from "./client-response.ts";
import { countTokens } from "./count-tokens.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { finalError } from "./final-error.ts";
import { createLearnedQuirks } from "./learned-quirks.ts";
import { createOpenRequests } from "./open-requests.ts";
import { planRequest } from "./plan-request.ts";
import type { Run } from "./run.ts";
import { STOP_ERRORS } from "./stop-errors.ts";
import { streamResponse } from "./stream-response.ts";

/** How long answers cut by a shutdown may take to say so. */
const LAST_WORDS_MS = 500;

/** The data plane: a request in, an answer out, whatever happens upstream. */
export function createRelay(given: Omit<RelayDependencies, "learned">): Relay {
  const dependencies = { ...given, learned: createLearnedQuirks() };
  const { ledger, health } = dependencies;
  const open = createOpenRequests();
  let isClosing = false;

  async function handle(request: ClientRequest): Promise<Response> {
    const run = beginRun(dependencies, request);
    const { close, leave } = followClient(request.signal, run, open.add(run.watch));
    const answer = <T>(shape: Shape<T>) =>
      answerRun(dependencies, { run, shape, isClosing: () => isClosing });
    if (run.stream) {
      const onFault = (error: unknown) => faultInStream(dependencies, run, error);
      return streamResponse({ run, answer: answer(streamAnswer), close, leave, onFault });
    }
    const whole = await answer(wholeAnswer);
    close();
    if (whole.kind === "error") return errorResponse(run, whole.error);
    return jsonResponse(run, whole.bytes, whole.headers);
  }

  async function count(request: ClientRequest): Promise<Response> {
    const run = beginRun(dependencies, request);
    const { close } = followClient(request.signal, run, open.add(run.watch));
    const response = await countRun(dependencies, run, () => isClosing);
    close();
    return response;
  }

  async function shutdown(drain_ms: number): Promise<void> {
    isClosing = true;
    await open.idle(drain_ms);
    open.stopAll({ kind: "router_shutdown" });
    await open.idle(LAST_WORDS_MS);
    ledger.stop();
  }

  return {
    arrive: () => open.arrive(),
    handle,
    countTokens: count,
    explain: (request) => planRequest(dependencies, request, chatView(request)),
    recordRejected: (rejected) => recordRejected(dependencies, rejected),
    findDecision: ledger.find,
    loads: () => health.loads(),
    cooldowns: () => health.cooldowns(),
    breakers: () => health.breakers(),
    suspicions: () => health.signatures.suspicions(),
    tripSignature: (subject, signature, detail) =>
      health.signatures.trip(subject, signature, detail),
    clearSignature: (subject, signature) => health.signatures.clear(subject, signature),
    clearHealth: (subject) => health.clear(subject),
    inFlight: () => open.size(),
    shutdown,
  };
}

/** Never rejects, as `answerRun`. */
async function countRun(
  dependencies: RelayDependencies,
  run: Run,
  isClosing: () => boolean,
): Promise<Response> {
  try {
    return await countTokens(dependencies, run, isClosing);
  } catch (error) {
    dependencies.onFault(error, run.request.request_id);
    return errorResponse(run, errorAnswer(run, STOP_ERRORS.router_fault).error);
  }
}

type Shape<T> = (run: Run, outcome: Answered) => T;

interface AnswerRun<T> {
  readonly run: Run;
  /** Puts the answer into the form that was asked for. */
  readonly shape: Shape<T>;
  readonly isClosing: () => boolean;
}

/** Never rejects: a fault of ours is an error like any other to the client. */
async function answerRun<T>(
  dependencies: RelayDependencies,
  { run, shape, isClosing }: AnswerRun<T>,
): Promise<T | FailedAnswer> {
  try {
    const plan = await planRequest(dependencies, run.request, run.view());
    if (plan.kind === "refuse") return errorAnswer(run, plan);
    run.entry.plan(plan);
    const refusal = fitsNowhere(plan) ?? speaksNowhere(plan);
    if (refusal) return errorAnswer(run, refusal);
    dependencies.memory.began(plan);
    const outcome = await carryOut(dependencies, { run, plan, isClosing });
    if (outcome.kind === "stopped") return errorAnswer(run, STOP_ERRORS[outcome.stop.kind]);
    if (outcome.kind === "failed") return errorAnswer(run, finalError(dependencies, run, outcome));
    const served = run.entry.decision.served ?? "";
    dependencies.memory.served(plan, served);
    dependencies.health.served(plan, served);
    return shape(run, outcome);
  } catch (error) {
    dependencies.onFault(error, run.request.request_id);
    run.watch.abort({ kind: "router_fault" });
    return errorAnswer(run, STOP_ERRORS.router_fault);
  }
}

/** The last bytes of a stream that broke on our account; its record is settled by what is left of it. */
function faultInStream(dependencies: RelayDependencies, run: Run, error: unknown): Uint8Array {
  dependencies.onFault(error, run.request.request_id);
  run.watch.abort({ kind: "router_fault" });
  const { code: error_code } = STOP_ERRORS.router_fault;
  run.entry.finish({ status: 200, outcome: "interrupted", error_code });
  return run.egress.fail(STOP_ERRORS.router_fault);
}

function recordRejected({ ledger }: RelayDependencies, rejected: RejectedRequest): string {
  const entry = ledger.begin(rejected);
  const { status, code: error_code } = rejected;
  const outcome = error_code === "client_closed_request" ? "cancelled" : "failed";
  entry.finish({ status, outcome, error_code });
  return entry.id;
}
