import { getJson, type JsonAnswer, type JsonRequest } from "./get-json.ts";
import { entriesOf, memberOf } from "./model-ids.ts";

/** Ten times the largest listing seen, that of an aggregator with some hundred models. */
const FIRST_BYTES = 16 * 1024 * 1024;
/** A page that was asked for by its size: some kilobytes for each of its entries. */
const LATER_BYTES = 4 * 1024 * 1024;
/** Pages of a thousand hold more than is kept of any listing. */
const MAX_PAGES = 10;
const LIMIT_MS = 10_000;
/** Longer than any vendor's; it goes into a URL. */
const MAX_CURSOR = 2048;

export type PagedListing =
  /** `value` is undefined where something is no listing. */
  { readonly ok: true; readonly value: unknown } | Extract<JsonAnswer, { ok: false }>;

/**
 * A listing with all its pages as one. Each is asked for below the instance's own base URL with its
 * credential; an address that a page names is never followed. A page that fails fails the listing, since
 * a part of it would pass for the whole. Ends within 10 s, never rejects.
 */
export async function readListing(request: Omit<JsonRequest, "max_bytes">): Promise<PagedListing> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(LIMIT_MS)]);
  const first = await getJson({ ...request, signal, max_bytes: FIRST_BYTES });
  if (!first.ok) return first;
  let query = nextPage(first.value);
  if (query === null) return first;
  let entries = entriesOf(first.value) ?? [];
  const asked = new Set<string>();
  while (query !== null && !asked.has(query) && asked.size < MAX_PAGES - 1) {
    asked.add(query);
    const path = `${request.path}${request.path.includes("?") ? "&" : "?"}${query}`;
    const page = await getJson({ ...request, path, signal, max_bytes: LATER_BYTES });
    if (!page.ok) return page;
    const found = entriesOf(page.value);
    if (found === undefined) return { ok: true, value: undefined };
    entries = entries.concat(found);
    query = nextPage(page.value);
  }
  return { ok: true, value: entries };
}

/** What asks for the page behind this one, as a query; null behind the last. */
function nextPage(listing: unknown): string | null {
  // Anthropic's form.
  const last = memberOf(listing, "has_more") === true ? cursorOf(listing, "last_id") : null;
  if (last !== null) return `limit=1000&after_id=${last}`;
  // Google's.
  const token = cursorOf(listing, "nextPageToken");
  return token === null ? null : `pageSize=1000&pageToken=${token}`;
}

function cursorOf(listing: unknown, name: string): string | null {
  const cursor = memberOf(listing, name);
  const isUsable = typeof cursor === "string" && cursor !== "" && cursor.length <= MAX_CURSOR;
  return isUsable ? encodeURIComponent(cursor.toWellFormed()) : null;
}
