import type { TransportFaultKind } from "../protocol/transport-fault.ts";
import { readJson } from "./bounded-body.ts";
import type { Fetch } from "./fetch.ts";
import type { Instance } from "./instance.ts";
import { outboundHeaders, type RouterIdentity } from "./outbound-headers.ts";
import { send } from "./send.ts";
import { transportFault } from "./transport-fault.ts";

const LIMIT_MS = 10_000;

export interface JsonRequest {
  readonly fetch: Fetch;
  readonly instance: Instance;
  readonly identity: RouterIdentity;
  readonly signal: AbortSignal;
  /** Below the instance's base URL, with its leading slash. */
  readonly path: string;
  /** A longer body counts as none. */
  readonly max_bytes: number;
}

export type JsonAnswer =
  /** `value` is undefined where the body is too long or no JSON. */
  | { readonly ok: true; readonly value: unknown }
  /** `failure` completes "`instance` …" in our own words. */
  | { readonly ok: false; readonly failure: string };

/** One GET on the router's own behalf, with the instance's credential. Ends within 10 s, never rejects. */
export async function getJson(request: JsonRequest): Promise<JsonAnswer> {
  const { fetch, instance, identity, signal, path, max_bytes } = request;
  try {
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
    if (response.ok) return { ok: true, value: await readJson(response, max_bytes) };
    await response.body?.cancel();
    return { ok: false, failure: statusWords(response) };
  } catch (error) {
    return { ok: false, failure: faultWords(error) };
  }
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

const FAULT_WORDS: Readonly<Record<TransportFaultKind, string>> = {
  timeout: `did not answer within ${LIMIT_MS / 1000} s`,
  abort: "was not waited for",
  dns: "has a host name that does not resolve",
  tls: "failed the TLS handshake",
  refused: "cannot be connected to",
  forbidden: "has a host name that leads to a link-local or cloud metadata address",
  reset: "closed the connection",
  local: "was not reached: this machine ran out of files or ports",
  bad_answer: "answered what is not readable as HTTP",
  undecodable_encoding: "answered what is not readable as HTTP",
  unknown: "failed",
};

function faultWords(error: unknown): string {
  const { kind, code } = transportFault(error);
  const isOurs = kind === "timeout" || kind === "abort";
  return code === null || isOurs ? FAULT_WORDS[kind] : `${FAULT_WORDS[kind]} (${code})`;
}
