import { mergeIgnore } from "../canary/endpoints/merge-ignore.ts";
import { changeObject } from "../protocol/json/edit.ts";
import { memberValue, objectMembers, textOf } from "../protocol/json/scan.ts";
import { isObject, type JsonObject, parseJson } from "../protocol/openai/fields.ts";

/** Upstream hosts behind a gateway that a model's requests are to be kept from. */
export interface ShutHosts {
  /** By a release, the config or a person: whatever the caller says. */
  readonly excluded: readonly string[];
  /** By the canary: unless the caller names the host itself. */
  readonly suspended: readonly string[];
}

export const NO_HOSTS: ShutHosts = { excluded: [], suspended: [] };

const OPEN_BRACE = 0x7b;
const EMPTY = new TextEncoder().encode("{}");
const NOTHING_REMOVED: ReadonlySet<string> = new Set();

/**
 * A body for a gateway with these hosts in `provider.ignore`, beside those that the caller ignores; all
 * other bytes stay. The same bytes where that adds nothing.
 */
export function ignoreHosts(
  body: Uint8Array<ArrayBuffer>,
  { excluded, suspended }: ShutHosts,
): Uint8Array<ArrayBuffer> {
  if (excluded.length + suspended.length === 0) return body;
  const span = memberValue(objectMembers(body, body.indexOf(OPEN_BRACE)), "provider");
  const own = span === undefined ? "{}" : textOf(body, span);
  const provider = own === "null" ? {} : parseJson(own);
  // What is no object the gateway itself complains about.
  if (!isObject(provider)) return body;
  const named = namedHosts(provider);
  const kept = suspended.filter((host) => !named.some((name) => isNamed(host, name)));
  const ignore = mergeIgnore(textsIn(provider["ignore"]), [...excluded, ...kept]);
  if (ignore === undefined) return body;
  const bytes = span === undefined || own === "null" ? EMPTY : body.subarray(span.start, span.end);
  return withMember(body, "provider", withMember(bytes, "ignore", JSON.stringify(ignore)));
}

function withMember(object: Uint8Array, name: string, value: string | Uint8Array) {
  return changeObject(object, { set: new Map([[name, value]]), remove: NOTHING_REMOVED });
}

/** Hosts that the caller wants, and no others. */
function namedHosts(provider: JsonObject): readonly string[] {
  const order = provider["allow_fallbacks"] === false ? textsIn(provider["order"]) : [];
  return [...textsIn(provider["only"]), ...order];
}

/** `deepinfra` names every variant of it, `deepinfra/fp8` that one. */
function isNamed(host: string, name: string): boolean {
  return host === name || host.split("/")[0] === name;
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
