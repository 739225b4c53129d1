import type { ProviderPaths } from "../catalog/provider-type.ts";
import { memoize } from "../lib/memoize.ts";
import { hopHeaders, isHeaderValue } from "./connection-header.ts";
import type { Instance } from "./instance.ts";

/** Who we are to upstreams and to other routers. */
export interface RouterIdentity {
  readonly version: string;
  /** Random per process; how a request that comes back to us is recognised. */
  readonly id: string;
}

/** The entry this router adds to `via`. */
export const viaEntry = (identity: RouterIdentity) => `veriroute/${identity.id}`;

/** Client headers that mean the same to every upstream. */
const CLIENT_HEADERS = [
  "traceparent",
  "tracestate",
  "idempotency-key",
  "openai-beta",
  "anthropic-beta",
];

/** Never taken from a client, even if a provider's list names them. */
const CLIENT_SECRETS =
  /^(authorization|proxy-|cookie|x-api-key|api-key|x-goog-api-key|x-stainless-)/;

/** Switches of the dialect that a client speaks. */
const OF_DIALECT = /^(anthropic|openai)-(beta|version)$/;

/** What a request says that names no version; newer ones refuse members that older models need. */
const ANTHROPIC_VERSION = "2023-06-01";

/** Framing is ours and fetch's: a configured value would break the request. */
const FRAMING = new Set([
  "host",
  "connection",
  "content-length",
  "content-type",
  "transfer-encoding",
  "accept-encoding",
  "via",
]);

/** Everything Bun's fetch decodes, alone or with `identity`; two codings in a row it does not. */
const DECODABLE = "gzip, deflate, br, zstd";

export interface OutboundRequest {
  readonly instance: Instance;
  readonly identity: RouterIdentity;
  readonly endpoint: keyof ProviderPaths;
  readonly stream: boolean;
  /** The client's headers; null for requests of the router's own. */
  readonly client: Headers | null;
  /** The request came in another dialect: versions and betas that its client named are not this one's. */
  readonly translated?: boolean;
}

/**
 * The headers of an upstream call: an allow-list, so nothing of the client's leaks by default. Not to
 * be written to: calls that pass nothing of a client's on share theirs.
 */
export function outboundHeaders(request: OutboundRequest): Headers {
  const form = formOf(request);
  const passed = passedOn(request, form);
  const via = request.client?.get("via") ?? "";
  return passed.length === 0 && via === "" ? form.headers : headersOf(request, passed, via);
}

/** What calls of one kind to one instance have in common. */
interface Form {
  readonly endpoint: OutboundRequest["endpoint"];
  readonly stream: boolean;
  /** Those of a call that passes nothing on. */
  readonly headers: Headers;
  /** What is passed on of a client's, where it is there. */
  readonly names: readonly string[];
}

const formsOf = memoize<RouterIdentity, (instance: Instance) => Form[]>(() => memoize(() => []));

function formOf(request: OutboundRequest): Form {
  const { identity, instance, endpoint, stream } = request;
  const forms = formsOf(identity)(instance);
  const known = forms.find((form) => form.endpoint === endpoint && form.stream === stream);
  if (known) return known;
  const headers = headersOf(request, [], "");
  const form = { endpoint, stream, headers, names: passedNames(request) };
  forms.push(form);
  return form;
}

function passedNames({ instance, endpoint }: OutboundRequest): readonly string[] {
  const version = endpoint === "messages" ? ["anthropic-version"] : [];
  const names = [...CLIENT_HEADERS, ...version, ...instance.type.client_headers];
  return names.filter((name) => !CLIENT_SECRETS.test(name) && !FRAMING.has(name));
}

type Passed = readonly (readonly [name: string, value: string])[];

function headersOf(request: OutboundRequest, passed: Passed, via: string): Headers {
  const { instance, identity, endpoint, stream } = request;
  const headers = new Headers({
    "user-agent": `veriroute/${identity.version}`,
    accept: stream ? "text/event-stream, application/json" : "application/json",
  });
  if (endpoint === "messages") headers.set("anthropic-version", ANTHROPIC_VERSION);
  setAll(headers, Object.entries(instance.type.headers));
  setAll(headers, passed);
  setAll(headers, credentialHeader(instance));
  setAll(
    headers,
    Object.entries(instance.headers).filter(([name]) => !FRAMING.has(name.toLowerCase())),
  );
  if (endpoint !== "models") headers.set("content-type", "application/json");
  // A compressed stream arrives in the compressor's blocks, not token by token.
  headers.set("accept-encoding", stream ? "identity" : DECODABLE);
  const entry = viaEntry(identity);
  headers.set("via", via === "" ? entry : `${via}, ${entry}`);
  return headers;
}

function credentialHeader({ type, credential }: Instance): [string, string][] {
  if (credential === null || type.auth === "none") return [];
  return type.auth === "bearer"
    ? [["authorization", `Bearer ${credential}`]]
    : [["x-api-key", credential]];
}

const NONE: Passed = [];

/** What of the client's own headers its target gets, too, if that is not what it gets anyway. */
function passedOn({ client, translated = false }: OutboundRequest, form: Form): Passed {
  if (client === null) return NONE;
  let passed: [string, string][] | undefined;
  let hops: ReadonlySet<string> | undefined;
  for (const name of form.names) {
    const value = client.get(name);
    if (value === null || value === form.headers.get(name)) continue;
    if (translated && OF_DIALECT.test(name)) continue;
    hops ??= hopHeaders(client);
    if (!hops.has(name)) (passed ??= []).push([name, value]);
  }
  return passed ?? NONE;
}

function setAll(headers: Headers, entries: readonly (readonly [string, string])[]) {
  for (const [name, value] of entries) {
    if (isHeaderValue(value)) headers.set(name, value);
  }
}
