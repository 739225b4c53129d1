import { readBlock } from "../address/block.ts";
import { appendMember } from "../protocol/json/append-member.ts";
import { openAiErrorFrame } from "../protocol/openai/error-frame.ts";
import { makePlan } from "../routing/make-plan.ts";
import type { Plan } from "../routing/plan.ts";
import { carryOut, type Outcome } from "./carry-out.ts";
import type { ClientRequest, ExplainRequest, RejectedRequest, Relay } from "./client-request.ts";
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
import type { LedgerEntry } from "./ledger.ts";
import { createRun, isStream, type Run } from "./run.ts";
import type { Stopper } from "./watch.ts";

type Route = Extract<Plan, { kind: "route" }>;

/** How long streams cut by a shutdown may take to say so. */
const LAST_WORDS_MS = 2000;

/** The data plane: a request in, an answer out, whatever happens upstream. */
export function createRelay(dependencies: RelayDependencies): Relay {
  const { ledger, health, clock } = dependencies;
  const open = new Map<string, Stopper>();
  let isClosing = false;

  async function planFor({ dialect, parsed }: ExplainRequest): Promise<Plan> {
    const read = readBlock(parsed["veriroute"]);
    const asked = askedOf(parsed);
    if (read.kind === "problem") {
      const { message, param } = read;
      return { kind: "refuse", asked, code: "invalid_request", message, param };
    }
    // Only a name without an instance can change its meaning with what discovery finds.
    if (!asked.includes(":")) await dependencies.discovered();
    return makePlan({ model: asked, block: read.block, dialect, world: dependencies.world() });
  }

  async function handle(request: ClientRequest): Promise<Response> {
    const { dialect, request_id, parsed } = request;
    const asked = askedOf(parsed);
    const entry = ledger.begin({ request_id, dialect, stream: isStream(request), asked });
    if (isClosing) return refuse(entry, request_id, SHUTDOWN);
    const plan = await planFor(request);
    if (plan.kind === "refuse") return refuse(entry, request_id, plan);
    entry.plan(plan);
    return relayPlan(request, entry, plan);
  }

  function refuse(entry: LedgerEntry, request_id: string, error: ErrorAnswer): Response {
    const response = errorResponse(error, requestHeaders(request_id, entry));
    entry.finish({ status: response.status, outcome: "failed", error_code: error.code });
    return response;
  }

  async function relayPlan(
    request: ClientRequest,
    entry: LedgerEntry,
    plan: Route,
  ): Promise<Response> {
    const { deadline_ms } = dependencies.settings();
    const run = createRun({ request, entry, clock, deadline_ms });
    const leave = () => run.stopper.abort({ kind: "cancelled" });
    request.signal.addEventListener("abort", leave, { once: true });
    if (request.signal.aborted) leave();
    open.set(entry.id, run.stopper);
    const isPinned = plan.pool === null && plan.candidates.length === 1;
    const outcome = carryOut(dependencies, {
      run,
      candidates: plan.candidates,
      isPinned,
      isClosing: () => isClosing,
    });
    const close = () => {
      open.delete(entry.id);
      request.signal.removeEventListener("abort", leave);
    };
    return run.stream
      ? streamResponse({ run, outcome, close, leave })
      : outcome.then((settled) => jsonResponse(run, settled)).finally(close);
  }

  function jsonResponse(run: Run, outcome: Outcome): Response {
    const { entry, request } = run;
    if (outcome.kind !== "json") return failedResponse(run, outcome);
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

  function failedResponse(run: Run, outcome: Exclude<Outcome, { kind: "json" }>): Response {
    const error = conclude(run, outcome);
    return errorResponse(error, routerHeaders(run));
  }

  /** The error of a request that got no answer, entered into its decision. */
  function conclude(run: Run, outcome: Exclude<Outcome, { kind: "json" }>): ErrorAnswer {
    if (outcome.kind === "failed") {
      const error = finalError(run, outcome);
      run.entry.finish({ status: error.status, outcome: "failed", error_code: error.code });
      return error;
    }
    const isShutdown = outcome.kind === "stopped" && outcome.stop.kind === "router_shutdown";
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
    readonly close: () => void;
    readonly leave: () => void;
  }

  /** Waits for the first content; after `keepalive_after` the headers go out alone and failover goes on behind them. */
  async function streamResponse({ run, outcome, close, leave }: Streaming): Promise<Response> {
    const { keepalive_ms } = dependencies.settings();
    const settled = await inTime(outcome, keepalive_ms);
    if (settled && settled.kind !== "stream") {
      close();
      return failedResponse(run, settled.kind === "json" ? NO_ANSWER : settled);
    }
    const source = settled ? settled.source : lateSource(run, outcome);
    const body = clientStream({
      source: closing(source, close),
      keepalive_ms,
      onCancel: leave,
    });
    const headers = settled
      ? { ...Object.fromEntries(settled.headers), ...routerHeaders(run) }
      : requestHeaders(run.request.request_id, run.entry);
    return new Response(body, { headers: { ...headers, ...SSE_HEADERS } });
  }

  /** A stream whose headers are out already: who served it, or the error, comes as frames. */
  async function* lateSource(run: Run, outcome: Promise<Outcome>): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    // Headers leave with the first bytes of the body.
    yield KEEP_ALIVE;
    const settled = await outcome;
    if (settled.kind === "stream") {
      yield encoder.encode(servedComment(run.entry.decision));
      yield* settled.source;
      return;
    }
    const error = conclude(run, settled.kind === "json" ? NO_ANSWER : settled);
    yield encoder.encode(openAiErrorFrame(error));
  }

  async function shutdown(drain_ms: number): Promise<void> {
    isClosing = true;
    await untilIdle(() => open.size === 0, drain_ms);
    for (const stopper of open.values()) stopper.abort({ kind: "router_shutdown" });
    await untilIdle(() => open.size === 0, LAST_WORDS_MS);
    ledger.stop();
  }

  return {
    handle,
    explain: planFor,
    recordRejected: (rejected) => recordRejected(dependencies, rejected),
    findDecision: ledger.find,
    health: () => health.list(),
    cooldowns: () => health.cooldowns(),
    inFlight: () => open.size,
    shutdown,
  };
}

const SHUTDOWN = {
  code: "router_shutdown",
  status: 503,
  message: "the router is shutting down; try again in a moment",
  retry_after_ms: 1000,
} as const;

const GONE = {
  code: "client_closed_request",
  status: 499,
  message: "the client closed the request",
} as const;

/** What a stream request can never get; kept as a value so that the types need no exception. */
const NO_ANSWER: Outcome & { kind: "failed" } = { kind: "failed", tried: [], benched: [] };

function askedOf(parsed: Readonly<Record<string, unknown>>): string {
  return typeof parsed["model"] === "string" ? parsed["model"] : "";
}

function recordRejected({ ledger }: RelayDependencies, rejected: RejectedRequest): string {
  const entry = ledger.begin(rejected);
  const { status, code } = rejected;
  entry.finish({ status, outcome: "failed", error_code: code });
  return entry.id;
}

/** Runs `close` when the source is over, however that comes about. */
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

const POLL_MS = 20;

async function untilIdle(isIdle: () => boolean, limit_ms: number): Promise<void> {
  for (let waited = 0; waited < limit_ms && !isIdle(); waited += POLL_MS) {
    await Bun.sleep(POLL_MS);
  }
}
