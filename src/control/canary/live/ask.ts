import type { Probe } from "../../../canary/probes/probe.ts";
import type { FailedReply, ProbeReply } from "../../../canary/probes/reply.ts";
import { classifyHttp, classifyThrown } from "../../../health/classify.ts";
import type { Failure } from "../../../health/failure.ts";
import type { Clock } from "../../../lib/clock.ts";
import { readBounded } from "../../../upstream/bounded-body.ts";
import type { Fetch } from "../../../upstream/fetch.ts";
import type { Instance, InstanceRegistry } from "../../../upstream/instance.ts";
import { outboundHeaders, type RouterIdentity } from "../../../upstream/outbound-headers.ts";
import { send } from "../../../upstream/send.ts";
import { createLessons, type Refused } from "./lessons.ts";
import { type PreparedProbe, prepareProbe } from "./prepare.ts";
import { createProbeTiming, type ProbeTiming } from "./probe-timing.ts";
import { readAnswer } from "./read-answer.ts";

export interface AskerDependencies {
  readonly clock: Clock;
  readonly registry: Pick<InstanceRegistry, "get">;
  readonly fetch: Fetch;
  readonly identity: RouterIdentity;
  readonly newId: () => string;
}

export interface Asker {
  /** Sends one probe; never rejects. It touches nobody's health and is nobody's traffic. */
  ask(probe: Probe, signal: AbortSignal): Promise<ProbeReply>;
  /** The endpoint takes no form of output, as its type or its own answer says. */
  lacksFormat(endpoint: string): boolean;
}

/** Nobody was asked, so nobody bills it. */
const UNSENT = 400;

export function createAsker(dependencies: AskerDependencies): Asker {
  const { registry } = dependencies;
  const formless = new Set<string>();
  const lessons = createLessons();

  async function tryOnce(probe: Probe, instance: Instance, signal: AbortSignal) {
    const { model, key } = probe.endpoint;
    const prepared = prepareProbe(probe, instance, lessons.on(instance, model));
    if (prepared !== null) return callOf(dependencies, { probe, instance, prepared, signal });
    if (probe.format !== null) formless.add(key);
    return { reply: failed("unsupported_param", UNSENT), refused: null };
  }

  return {
    lacksFormat: (endpoint) => formless.has(endpoint),
    async ask(probe, signal) {
      const instance = registry.get(probe.endpoint.instance);
      if (instance === undefined) return failed("model_not_found", UNSENT);
      if (instance.problem !== null) return failed(kindOf(instance.problem), UNSENT);
      const { reply, refused } = await tryOnce(probe, instance, signal);
      if (refused === null || !lessons.learn(probe, instance, refused)) return reply;
      // A request that was turned down is billed by nobody, so this is still one probe.
      return (await tryOnce(probe, instance, signal)).reply;
    },
  };
}

function kindOf({ code }: NonNullable<Instance["problem"]>): FailedReply["failure"] {
  return code.endsWith("credential") ? "auth" : "bad_upstream";
}

function failed(failure: FailedReply["failure"], status: number | null): FailedReply {
  return { kind: "failed", failure, status };
}

interface Call {
  readonly probe: Probe;
  readonly instance: Instance;
  readonly prepared: PreparedProbe;
  readonly signal: AbortSignal;
}

interface Called {
  readonly reply: ProbeReply;
  readonly refused: Refused | null;
}

async function callOf(dependencies: AskerDependencies, call: Call): Promise<Called> {
  const { clock, identity, fetch } = dependencies;
  const { probe, instance, prepared, signal } = call;
  const { wire, path } = prepared;
  const { stream } = probe;
  const body = new Uint8Array(Buffer.from(JSON.stringify(prepared.body)));
  const headers = outboundHeaders({ instance, identity, endpoint: wire, stream, client: null });
  const timing = createProbeTiming(clock, probe, signal);
  try {
    const response = await send({ fetch, instance, path, body, headers, signal: timing.signal });
    timing.answered();
    if (response.ok) {
      const reply = await readReply(dependencies, call, { response, timing });
      if (timing.hasSlept()) return { reply: failed("network", null), refused: null };
      return { reply: timing.reading.aborted ? fromAsked(reply, probe) : reply, refused: null };
    }
    const failure = await failureIn(response, instance, clock.now());
    const reply = failed(failure.kind, failure.status ?? response.status);
    return { reply, refused: { wire, body, failure } };
  } catch (error) {
    const kind = timing.isLate() ? "timeout" : classifyThrown(error).kind;
    return { reply: failed(kind, null), refused: null };
  } finally {
    timing.end();
  }
}

/**
 * An answer names its host with its first words. Of one that was given up before those came, that is the
 * host that was asked: the gateway took the request, which leaves it no other.
 */
function fromAsked(reply: ProbeReply, { endpoint }: Probe): ProbeReply {
  if (reply.kind === "failed" || reply.answered_by !== null || endpoint.host === null) return reply;
  const { first_text_ms, first_reasoning_ms, answer } = reply;
  const isSilent = first_text_ms === null && first_reasoning_ms === null && answer.finish === null;
  return isSilent ? { ...reply, answered_by: endpoint.host } : reply;
}

function readReply(
  { clock, newId }: AskerDependencies,
  { probe, instance, prepared }: Call,
  { response, timing }: { readonly response: Response; readonly timing: ProbeTiming },
): Promise<ProbeReply> {
  const { model } = probe.endpoint;
  const created_at = clock.now();
  const parts = { seed: newId(), model, created_at, newId, onLoss: () => undefined };
  const reading = { wire: prepared.wire, vendor: instance.type.id, now: created_at, parts };
  const told = { at: () => timing.at(), onReasoning: () => timing.reasons() };
  return readAnswer({ ...reading, ...told, response }, timing.reading);
}

/** A longer error answer says nothing that its status does not. */
const MAX_ERROR_BYTES = 256 * 1024;

async function failureIn(response: Response, { type }: Instance, now: number): Promise<Failure> {
  const bytes = await readBounded(response, MAX_ERROR_BYTES);
  const body = bytes === undefined ? "" : new TextDecoder().decode(bytes);
  const header = (name: string) => response.headers.get(name);
  return classifyHttp({ vendor: type.id, status: response.status, header, body, now });
}
