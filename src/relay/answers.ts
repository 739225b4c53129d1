import { appendMember } from "../protocol/json/append-member.ts";
import { createCallIds } from "../protocol/openai/call-ids.ts";
import { openAiErrorFrame } from "../protocol/openai/error-frame.ts";
import { expandAnswer } from "../protocol/openai/expand.ts";
import type { Outcome } from "./carry-out.ts";
import {
  type ErrorAnswer,
  errorResponse,
  requestHeaders,
  routerHeaders,
  SSE_HEADERS,
} from "./client-response.ts";
import { clientStream, KEEP_ALIVE } from "./client-stream.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { routerMember, servedComment } from "./explain-record.ts";
import { finalError } from "./final-error.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import type { Run } from "./run.ts";

export const SHUTDOWN: ErrorAnswer & { readonly status: number } = {
  code: "router_shutdown",
  status: 503,
  message: "the router is shutting down; try again in a moment",
  retry_after_ms: 1000,
};

const GONE: ErrorAnswer & { readonly status: number } = {
  code: "client_closed_request",
  status: 499,
  message: "the client closed the request",
};

type Dependencies = Pick<RelayDependencies, "health" | "clock">;
type NoAnswer = Extract<Outcome, { kind: "failed" | "stopped" }>;

/** The answer to a request that no target was asked for. */
export function refuse(entry: LedgerEntry, request_id: string, error: ErrorAnswer): Response {
  const response = errorResponse(error, requestHeaders(request_id, entry));
  entry.finish({ status: response.status, outcome: "failed", error_code: error.code });
  return response;
}

/** The answer to a request for JSON. */
export function jsonResponse(dependencies: Dependencies, run: Run, outcome: Outcome): Response {
  if (outcome.kind === "stream") throw new Error("a stream was opened for a request for JSON");
  if (outcome.kind !== "json") return failedResponse(dependencies, run, outcome);
  const { entry, request } = run;
  entry.finish({ status: 200, outcome: "ok" });
  const member = routerMember(entry.decision, request.debug);
  return new Response(appendMember(outcome.answer.bytes, "veriroute", member), {
    headers: {
      ...Object.fromEntries(outcome.headers),
      "content-type": "application/json",
      ...routerHeaders(run),
    },
  });
}

function failedResponse(dependencies: Dependencies, run: Run, outcome: NoAnswer): Response {
  const error = conclude(dependencies, run, outcome);
  return errorResponse(error, routerHeaders(run));
}

/** The error of a request that got no answer, entered into its decision. */
function conclude(dependencies: Dependencies, run: Run, outcome: NoAnswer): ErrorAnswer {
  if (outcome.kind === "failed") {
    const error = finalError(dependencies, run, outcome);
    run.entry.finish({ status: error.status, outcome: "failed", error_code: error.code });
    return error;
  }
  const isShutdown = outcome.stop.kind === "router_shutdown";
  const error = isShutdown ? SHUTDOWN : GONE;
  run.entry.finish({
    status: error.status,
    outcome: isShutdown ? "failed" : "cancelled",
    error_code: error.code,
  });
  return error;
}

interface Streaming {
  readonly run: Run;
  readonly outcome: Promise<Outcome>;
  readonly keepalive_ms: number | null;
  /** The answer is over, however that came about. */
  readonly close: () => void;
  /** The client went away. */
  readonly leave: () => void;
}

/**
 * The answer to a request for a stream: headers at the first content or, if that takes long, alone,
 * with failover going on behind them.
 */
export async function streamResponse(
  dependencies: Dependencies,
  streaming: Streaming,
): Promise<Response> {
  const { run, outcome, keepalive_ms, close, leave } = streaming;
  const settled = await inTime(outcome, keepalive_ms);
  if (settled?.kind === "failed" || settled?.kind === "stopped") {
    close();
    return failedResponse(dependencies, run, settled);
  }
  const source = closing(
    settled ? sourceOf(run, settled) : lateSource(dependencies, run, outcome),
    close,
  );
  const body = clientStream({ source, keepalive_ms, onCancel: leave });
  const headers = settled
    ? { ...Object.fromEntries(settled.headers), ...routerHeaders(run) }
    : requestHeaders(run.request.request_id, run.entry);
  return new Response(body, { headers: { ...headers, ...SSE_HEADERS } });
}

/** A stream whose headers are out already: who served it, or the error, comes as frames. */
async function* lateSource(
  dependencies: Dependencies,
  run: Run,
  outcome: Streaming["outcome"],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  // Headers leave with the first bytes of the body.
  yield KEEP_ALIVE;
  const settled = await outcome;
  if (settled.kind === "failed" || settled.kind === "stopped") {
    yield encoder.encode(openAiErrorFrame(conclude(dependencies, run, settled)));
    return;
  }
  yield encoder.encode(servedComment(run.entry.decision));
  yield* sourceOf(run, settled);
}

type Answer = Extract<Outcome, { kind: "json" | "stream" }>;

function sourceOf(run: Run, answer: Answer): AsyncGenerator<Uint8Array> {
  return answer.kind === "stream" ? answer.source : expanded(run, answer);
}

/** A JSON answer that came although a stream was asked for, as the stream the client can read. */
async function* expanded(
  { entry, request, wants_usage: include_usage }: Run,
  { answer }: Extract<Answer, { kind: "json" }>,
): AsyncGenerator<Uint8Array> {
  const dialect = request.dialect === "completions" ? "completions" : "chat";
  const newId = createCallIds(entry.id);
  const text = expandAnswer(answer.body, { dialect, include_usage, newId });
  entry.edit("json_to_sse");
  entry.finish({ status: 200, outcome: "ok" });
  yield await Promise.resolve(new TextEncoder().encode(text));
}

async function* closing(
  source: AsyncGenerator<Uint8Array>,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } finally {
    close();
  }
}

async function inTime<T>(promise: Promise<T>, ms: number | null): Promise<T | undefined> {
  if (ms === null) return promise;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
