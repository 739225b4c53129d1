import type { ProviderType } from "../catalog/provider-type.ts";
import { PROVIDER_TYPES } from "../catalog/provider-types.ts";
import type { TransportFaultKind } from "../protocol/transport-fault.ts";
import { readJson } from "./bounded-body.ts";
import type { Fetch } from "./fetch.ts";
import { type ListedFacts, listingFacts } from "./listing-facts.ts";
import { entriesOf, memberOf, modelIds } from "./model-ids.ts";
import { type RouterIdentity, viaEntry } from "./outbound-headers.ts";
import { transportFault } from "./transport-fault.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** A way to recognise a server by the list of models that only it would give. */
interface Fingerprint {
  readonly path: string;
  /** Whether one entry of the list could come from no other kind of server. */
  readonly matches: (entry: unknown) => boolean;
}

const isText = (value: unknown) => typeof value === "string";
const ownedBy = (owner: string) => (entry: unknown) => memberOf(entry, "owned_by") === owner;

const FINGERPRINTS: Readonly<Record<string, readonly Fingerprint[]>> = {
  ollama: [
    {
      path: "/api/tags",
      matches: (entry) => isText(memberOf(entry, "name")) && isText(memberOf(entry, "digest")),
    },
    { path: "/v1/models", matches: ownedBy("library") },
  ],
  lmstudio: [
    {
      path: "/api/v1/models",
      matches: (entry) =>
        isText(memberOf(entry, "key")) && Array.isArray(memberOf(entry, "loaded_instances")),
    },
    {
      path: "/api/v0/models",
      matches: (entry) => isText(memberOf(entry, "publisher")) && isText(memberOf(entry, "state")),
    },
  ],
  llamacpp: [{ path: "/v1/models", matches: ownedBy("llamacpp") }],
  vllm: [{ path: "/v1/models", matches: ownedBy("vllm") }],
};

export type LocalAnswer =
  | {
      readonly kind: "found";
      readonly models: readonly string[];
      readonly facts?: ListedFacts;
    }
  /** Nothing listens, or something else does. */
  | { readonly kind: "absent" }
  /** No answer in time, or one of a server still loading. */
  | { readonly kind: "silent" };

export interface LocalProbe {
  readonly fetch: Fetch;
  readonly identity: RouterIdentity;
  readonly type: ProviderType;
  /** Also the limit: it has to end the probe. */
  readonly signal: AbortSignal;
}

/** Provider types that are looked for on this machine. */
export function localTypes(): readonly ProviderType[] {
  return PROVIDER_TYPES.filter(({ id, local_port }) => local_port !== null && id in FINGERPRINTS);
}

/**
 * Asks a type's usual loopback port for its list of models. A server counts only if the list is one of
 * its kind and not empty: whatever else listens there must never be sent a prompt. Never rejects.
 */
export async function probeLocalServer(probe: LocalProbe): Promise<LocalAnswer> {
  for (const fingerprint of FINGERPRINTS[probe.type.id] ?? []) {
    const answer = await ask(probe, fingerprint);
    if (answer.kind !== "absent") return answer;
  }
  return { kind: "absent" };
}

/** What a server does that is there but too busy: none of it is an answer by something else. */
const SILENCE: ReadonlySet<TransportFaultKind> = new Set(["timeout", "abort", "reset"]);

async function ask(probe: LocalProbe, { path, matches }: Fingerprint): Promise<LocalAnswer> {
  try {
    const response = await get(probe, path);
    if (!response.ok || isRouter(response.headers)) {
      await response.body?.cancel();
      return { kind: response.status === 503 ? "silent" : "absent" };
    }
    const listing = await readJson(response, MAX_BYTES);
    return recognise(listing, matches, probe.type);
  } catch (error) {
    return { kind: SILENCE.has(transportFault(error).kind) ? "silent" : "absent" };
  }
}

function recognise(
  listing: unknown,
  matches: Fingerprint["matches"],
  type: ProviderType,
): LocalAnswer {
  const entries = entriesOf(listing) ?? [];
  if (!entries.some(matches) || entries.some(ownedBy("veriroute"))) return { kind: "absent" };
  const prefix = type.quirks.model_prefix;
  const models = modelIds(listing, prefix) ?? [];
  if (models.length === 0) return { kind: "absent" };
  const facts = listingFacts(listing, { type: type.id, prefix });
  return { kind: "found", models, ...(facts && { facts }) };
}

function get({ fetch, identity, type, signal }: LocalProbe, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${type.local_port}${path}`, {
    headers: {
      "user-agent": `veriroute/${identity.version}`,
      accept: "application/json",
      via: viaEntry(identity),
    },
    signal,
    redirect: "manual",
    timeout: false,
    proxy: false,
  });
}

/** Another router, or this one: its models have better addresses than a detour. */
function isRouter(headers: Headers): boolean {
  return [...headers.keys()].some((name) => name.startsWith("x-veriroute"));
}
