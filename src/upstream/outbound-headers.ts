import type { ProviderPaths } from "../catalog/provider-type.ts";
import { once } from "../lib/memoize.ts";
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

/** The headers of an upstream call: an allow-list, so nothing of the client's leaks by default. */
export function outboundHeaders(request: OutboundRequest): Headers {
  const { instance, identity, endpoint, stream, client } = request;
  const headers = new Headers({
    "user-agent": `veriroute/${identity.version}`,
    accept: stream ? "text/event-stream, application/json" : "application/json",
  });
  if (endpoint === "messages") headers.set("anthropic-version", ANTHROPIC_VERSION);
  setAll(headers, Object.entries(instance.type.headers));
  if (client !== null) passOn(headers, request, client);
  setAll(headers, credentialHeader(instance));
  setAll(
    headers,
    Object.entries(instance.headers).filter(([name]) => !FRAMING.has(name.toLowerCase())),
  );
  if (endpoint !== "models") headers.set("content-type", "application/json");
  // A compressed stream arrives in the compressor's blocks, not token by token.
  headers.set("accept-encoding", stream ? "identity" : DECODABLE);
  headers.set("via", [client?.get("via"), viaEntry(identity)].filter(Boolean).join(", "));
  return headers;
}

function credentialHeader({ type, credential }: Instance): [string, string][] {
  if (credential === null || type.auth === "none") return [];
  return type.auth === "bearer"
    ? [["authorization", `Bearer ${credential}`]]
    : [["x-api-key", credential]];
}

/** What of the client's own headers its target gets, too. */
function passOn(
  headers: Headers,
  { instance, endpoint, translated = false }: OutboundRequest,
  client: Headers,
): void {
  const hops = once(() => hopHeaders(client));
  const pass = (name: string): void => {
    const value = client.get(name);
    if (value === null || !isHeaderValue(value)) return;
    const isForeign = translated && OF_DIALECT.test(name);
    const isOurs = CLIENT_SECRETS.test(name) || FRAMING.has(name) || hops().has(name);
    if (!isForeign && !isOurs) headers.set(name, value);
  };
  CLIENT_HEADERS.forEach(pass);
  if (endpoint === "messages") pass("anthropic-version");
  instance.type.client_headers.forEach(pass);
}

function setAll(headers: Headers, entries: readonly (readonly [string, string])[]) {
  for (const [name, value] of entries) {
    if (isHeaderValue(value)) headers.set(name, value);
  }
}
