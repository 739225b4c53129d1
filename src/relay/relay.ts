import { readBlock } from "../address/block.ts";
import { makePlan } from "../routing/make-plan.ts";
import type { Plan } from "../routing/plan.ts";
import { jsonResponse, refuse, SHUTDOWN, streamResponse } from "./answers.ts";
import { carryOut } from "./carry-out.ts";
import type { ClientRequest, ExplainRequest, RejectedRequest, Relay } from "./client-request.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import { createRun, isStream } from "./run.ts";
import type { Stopper } from "./watch.ts";

type Route = Extract<Plan, { kind: "route" }>;

/** How long answers cut by a shutdown may take to say so. */
const LAST_WORDS_MS = 2000;

/** The data plane: a request in, an answer out, whatever happens upstream. */
export function createRelay(dependencies: RelayDependencies): Relay {
  const { ledger, health } = dependencies;
  const open = new Map<string, Stopper>();
  let isClosing = false;

  async function handle(request: ClientRequest): Promise<Response> {
    const { dialect, request_id } = request;
    const asked = askedOf(request);
    const entry = ledger.begin({ request_id, dialect, stream: isStream(request), asked });
    if (isClosing) return refuse(entry, request_id, SHUTDOWN);
    const plan = await planFor(dependencies, request);
    if (plan.kind === "refuse") return refuse(entry, request_id, plan);
    entry.plan(plan);
    return followPlan(request, entry, plan);
  }

  function followPlan(request: ClientRequest, entry: LedgerEntry, plan: Route): Promise<Response> {
    const { deadline_ms, keepalive_ms } = dependencies.settings();
    const run = createRun({ request, entry, clock: dependencies.clock, deadline_ms });
    const leave = () => run.stopper.abort({ kind: "cancelled" });
    request.signal.addEventListener("abort", leave, { once: true });
    if (request.signal.aborted) leave();
    open.set(entry.id, run.stopper);
    const close = () => {
      open.delete(entry.id);
      request.signal.removeEventListener("abort", leave);
    };
    const carried = carryOut(dependencies, { run, plan, isClosing: () => isClosing });
    return run.stream
      ? streamResponse(dependencies, { run, outcome: carried, keepalive_ms, close, leave })
      : carried.then((outcome) => jsonResponse(dependencies, run, outcome)).finally(close);
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
    explain: (request) => planFor(dependencies, request),
    recordRejected: (rejected) => recordRejected(dependencies, rejected),
    findDecision: ledger.find,
    health: () => health.list(),
    cooldowns: () => health.cooldowns(),
    inFlight: () => open.size,
    shutdown,
  };
}

/** What a request asks for, as one plan. Changes nothing. */
async function planFor(dependencies: RelayDependencies, request: ExplainRequest): Promise<Plan> {
  const { dialect, parsed } = request;
  const asked = askedOf(request);
  const read = readBlock(parsed["veriroute"]);
  if (read.kind === "problem") {
    const { message, param } = read;
    return { kind: "refuse", asked, code: "invalid_request", message, param };
  }
  const [head = ""] = asked.split(":", 1);
  // A name without an instance may change its meaning with what discovery finds.
  if (!dependencies.registry.get(head)) await dependencies.discovered();
  return makePlan({ model: asked, block: read.block, dialect, world: dependencies.world() });
}

function askedOf({ parsed }: Pick<ClientRequest, "parsed">): string {
  return typeof parsed["model"] === "string" ? parsed["model"] : "";
}

function recordRejected({ ledger }: RelayDependencies, rejected: RejectedRequest): string {
  const entry = ledger.begin(rejected);
  const { status, code } = rejected;
  entry.finish({ status, outcome: "failed", error_code: code });
  return entry.id;
}

const POLL_MS = 20;

async function untilIdle(isIdle: () => boolean, limit_ms: number): Promise<void> {
  for (let waited = 0; waited < limit_ms && !isIdle(); waited += POLL_MS) {
    await Bun.sleep(POLL_MS);
  }
}
