import { targetKey } from "../address/target.ts";
import { applyEdits, objectEdits } from "../protocol/json/edit.ts";
import { objectOf } from "../protocol/openai/fields.ts";
import { isTriable } from "../routing/arrange.ts";
import { estimateNeed } from "../routing/need.ts";
import type { RoutePlan } from "../routing/plan.ts";
import type { Instance } from "../upstream/instance.ts";
import { outboundHeaders } from "../upstream/outbound-headers.ts";
import { errorAnswer } from "./answers.ts";
import { createBodyReader } from "./body-reader.ts";
import { errorResponse, jsonResponse } from "./client-response.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { planRequest } from "./plan-request.ts";
import type { Run } from "./run.ts";
import { STOP_ERRORS } from "./stop-errors.ts";
import type { Watch } from "./watch.ts";

/** A count that takes longer is no use: the client could have sent its request. */
const COUNT_MS = 10_000;
/** A count is one number; what says more is none. */
const MAX_COUNT_BYTES = 64 * 1024;

/**
 * How many tokens a Messages request would take: as the first target says that can count, else as the
 * router estimates. Nobody is blamed for a count that fails.
 */
export async function countTokens(
  dependencies: RelayDependencies,
  run: Run,
  isClosing: () => boolean,
): Promise<Response> {
  const plan = await planRequest(dependencies, run.request, run.view());
  if (plan.kind === "refuse") return errorResponse(run, errorAnswer(run, plan).error);
  run.entry.plan(plan);
  if (isClosing()) return errorResponse(run, errorAnswer(run, STOP_ERRORS.router_shutdown).error);
  const counted = await countedBy(dependencies, run, plan);
  const stop = run.watch.stopped();
  if (stop && stop.kind !== "timeout") {
    return errorResponse(run, errorAnswer(run, STOP_ERRORS[stop.kind]).error);
  }
  if (counted === null) run.entry.edit("tokens_estimated");
  run.entry.finish({ status: 200, outcome: "ok" });
  const input_tokens = counted ?? estimateNeed(run.view().body, "messages").input_tokens;
  const bytes = new Uint8Array(Buffer.from(JSON.stringify({ input_tokens })));
  return jsonResponse(run, bytes, {});
}

/** Null if the answer holds no count. */
async function countIn(response: Response, watch: Watch): Promise<number | null> {
  const reader = createBodyReader(response, watch);
  if (!response.ok) {
    reader.cancel();
    return null;
  }
  const read = await reader.readAll(MAX_COUNT_BYTES);
  if (read.kind !== "whole") return null;
  const { input_tokens } = objectOf(JSON.parse(new TextDecoder().decode(read.bytes)));
  const isCount = typeof input_tokens === "number" && Number.isSafeInteger(input_tokens);
  return isCount && input_tokens >= 0 ? input_tokens : null;
}

/** Null if nobody can count, or whoever can does not answer. */
async function countedBy(
  dependencies: RelayDependencies,
  run: Run,
  { candidates }: RoutePlan,
): Promise<number | null> {
  const { registry, learned } = dependencies;
  for (const candidate of candidates.filter(isTriable)) {
    const { member } = candidate;
    const instance = registry.get(member.instance);
    if (!instance || learned.wireOf("messages", instance) !== "messages") continue;
    const count = await ask(dependencies, run, { instance, model: member.model });
    if (count !== null) run.entry.serve(targetKey(member));
    return count;
  }
  return null;
}

interface Counting {
  readonly instance: Instance;
  readonly model: string;
}

async function ask(
  { send, identity }: RelayDependencies,
  { request, own, watch }: Run,
  { instance, model }: Counting,
): Promise<number | null> {
  const change = {
    set: new Map([["model", JSON.stringify(model)]]),
    remove: new Set(["veriroute", "stream"]),
  };
  const endpoint = "messages";
  const { headers: client } = request;
  const shared = outboundHeaders({ instance, identity, endpoint, stream: false, client });
  const headers = new Headers(shared);
  // Nothing is gained by packing a number, and much can be unpacked from little.
  headers.set("accept-encoding", "identity");
  watch.arm("response_timeout", Math.min(COUNT_MS, instance.timeouts.response_ms));
  try {
    const response = await send({
      instance,
      path: `${instance.type.paths.messages}/count_tokens`,
      headers,
      body: applyEdits(own.bytes, objectEdits(own.open, own.members, change)),
      signal: watch.signal,
    });
    return await countIn(response, watch);
  } catch {
    // Whatever went wrong, the router can still estimate.
    return null;
  } finally {
    watch.disarm("response_timeout");
  }
}
