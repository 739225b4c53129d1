import { type Target, targetKey } from "../../address/target.ts";
import type { Price } from "../../catalog/model-card.ts";
import { arrayOf, isObject, type JsonObject, objectOf } from "../../protocol/openai/fields.ts";
import { type Endpoint, endpointKey } from "./endpoint.ts";

export type ReadListing =
  | { readonly ok: true; readonly endpoints: readonly Endpoint[] }
  | { readonly ok: false; readonly reason: string };

/** More hosts of one model than any gateway has. */
const MAX_ENDPOINTS = 64;
/** From here down a gateway sends nobody there any more. */
const SWITCHED_OFF = -10;
const TAG = /^[\w.-]{1,64}(\/[\w.:-]{1,64})?$/;

/** Where OpenRouter lists the hosts of a model, below the base URL; null for a name without an author. */
export function listingPath(model: string): string | null {
  const [author = "", slug = "", ...more] = model.split("/");
  if (author === "" || slug === "" || more.length > 0) return null;
  return `/models/${encodeURIComponent(author)}/${encodeURIComponent(slug)}/endpoints`;
}

/**
 * The hosts that serve a target, as OpenRouter's `/models/{author}/{slug}/endpoints` lists them. Entries
 * without a usable tag and hosts that are switched off are left out; the group is the target.
 */
export function readListing(
  listing: unknown,
  target: Pick<Target, "instance" | "model">,
): ReadListing {
  const entries = objectOf(objectOf(listing)["data"])["endpoints"];
  if (!Array.isArray(entries)) {
    return { ok: false, reason: "the listing has no `data.endpoints`" };
  }
  const found = new Map<string, Endpoint>();
  for (const entry of entries.filter(isObject)) {
    const endpoint = readEntry(entry, target);
    if (endpoint !== null && !found.has(endpoint.key)) found.set(endpoint.key, endpoint);
    if (found.size === MAX_ENDPOINTS) break;
  }
  return { ok: true, endpoints: [...found.values()] };
}

function readEntry(
  entry: JsonObject,
  { instance, model }: Pick<Target, "instance" | "model">,
): Endpoint | null {
  const { tag, provider_name: name, status, supported_parameters: parameters } = entry;
  if (typeof tag !== "string" || !TAG.test(tag)) return null;
  if (typeof status === "number" && status <= SWITCHED_OFF) return null;
  const target = targetKey({ instance, model });
  const supported = Array.isArray(parameters)
    ? arrayOf(parameters).filter((parameter) => typeof parameter === "string")
    : null;
  return {
    key: endpointKey(target, tag),
    instance,
    model,
    host: tag,
    host_name: typeof name === "string" ? name : null,
    groups: [target],
    price: readPrice(objectOf(entry["pricing"])),
    supported,
    reasoning: supported === null ? null : supported.includes("reasoning"),
  };
}

const PER_MILLION = 1e6;

/** Listed in USD per token, as text; `"-1"` says that it depends. */
function readPrice(pricing: JsonObject): Price {
  const of = (name: string, factor = PER_MILLION) => {
    const listed = pricing[name];
    const value = typeof listed === "string" && listed !== "" ? Number(listed) : listed;
    return typeof value === "number" && value >= 0 && value < 1 ? value * factor : null;
  };
  return {
    input_usd: of("prompt"),
    output_usd: of("completion"),
    cached_input_usd: of("input_cache_read"),
    request_usd: of("request", 1),
  };
}
