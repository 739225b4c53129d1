import type { Clock } from "../lib/clock.ts";
import { readJson } from "./bounded-body.ts";
import type { Fetch } from "./fetch.ts";
import type { Instance, Listing } from "./instance.ts";
import { modelIds } from "./model-ids.ts";
import { outboundHeaders, type RouterIdentity } from "./outbound-headers.ts";
import { send } from "./send.ts";
import { transportFault } from "./transport-fault.ts";

const LIMIT_MS = 10_000;
/** Ten times the largest listing seen, that of an aggregator with some hundred models. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A listing with the cause of its failure in our own words; null unless it failed. */
export interface ListingAnswer extends Listing {
  readonly failure: string | null;
}

export interface ListingRequest {
  readonly fetch: Fetch;
  readonly instance: Instance;
  readonly identity: RouterIdentity;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Asks an instance what it serves. Ends within 10 s and never rejects. */
export async function listModels(request: ListingRequest): Promise<ListingAnswer> {
  const { instance, clock } = request;
  const path = instance.type.paths.models;
  if (path === null) return { state: "unknown", models: [], at: null, failure: null };
  try {
    const outcome = await fetchIds(request, path);
    return "ids" in outcome
      ? { state: "ok", models: outcome.ids, at: clock.now(), failure: null }
      : failed(outcome.failure);
  } catch (error) {
    return failed(faultWords(error));
  }
}

const failed = (failure: string): ListingAnswer => ({
  state: "failed",
  models: [],
  at: null,
  failure,
});

async function fetchIds(
  { fetch, instance, identity, signal }: ListingRequest,
  path: string,
): Promise<{ readonly ids: readonly string[] } | { readonly failure: string }> {
  const response = await send({
    fetch,
    instance,
    path,
    body: null,
    headers: outboundHeaders({
      instance,
      identity,
      endpoint: "models",
      stream: false,
      client: null,
    }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    return { failure: statusWords(response) };
  }
  const ids = modelIds(await readJson(response, MAX_BYTES), instance.type.quirks.model_prefix);
  return ids === undefined ? { failure: "answered something that is no model list" } : { ids };
}

function statusWords(response: Response): string {
  if (response.status === 401 || response.status === 403) {
    return `refused the credential (HTTP ${response.status})`;
  }
  if (response.status >= 300 && response.status < 400) {
    const location = URL.parse(response.headers.get("location") ?? "", response.url || undefined);
    return `redirects to \`${location?.hostname ?? "?"}\`, which is not followed`;
  }
  return `answered HTTP ${response.status}`;
}

function faultWords(error: unknown): string {
  const { kind, code } = transportFault(error);
  const suffix = code === null ? "" : ` (${code})`;
  switch (kind) {
    case "timeout":
      return `did not answer within ${LIMIT_MS / 1000} s`;
    case "abort":
      return "was not waited for";
    case "dns":
      return `has a host name that does not resolve${suffix}`;
    case "tls":
      return `failed the TLS handshake${suffix}`;
    case "refused":
      return `cannot be connected to${suffix}`;
    case "reset":
      return `closed the connection${suffix}`;
    case "bad_answer":
    case "undecodable_encoding":
      return `answered what is not readable as HTTP${suffix}`;
    case "unknown":
      return `failed${suffix}`;
    default:
      return kind satisfies never;
  }
}
