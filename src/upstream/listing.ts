import type { Clock } from "../lib/clock.ts";
import type { JsonRequest } from "./get-json.ts";
import type { Listing } from "./instance.ts";
import { listingFacts } from "./listing-facts.ts";
import { readListing } from "./listing-pages.ts";
import { modelIds } from "./model-ids.ts";

/** A listing with the cause of its failure in our own words; null unless it failed. */
export interface ListingAnswer extends Listing {
  readonly failure: string | null;
}

export interface ListingRequest extends Omit<JsonRequest, "path" | "max_bytes"> {
  readonly clock: Clock;
}

/** Asks an instance what it serves. Ends within 10 s and never rejects. */
export async function listModels(request: ListingRequest): Promise<ListingAnswer> {
  const { instance, clock } = request;
  const { paths, quirks, id: type } = instance.type;
  if (paths.models === null) return { state: "unknown", models: [], at: null, failure: null };
  const answer = await readListing({ ...request, path: paths.models });
  if (!answer.ok) return failed(answer.failure);
  const models = modelIds(answer.value, quirks.model_prefix);
  if (models === undefined) return failed("answered something that is no model list");
  const facts = listingFacts(answer.value, { type, prefix: quirks.model_prefix });
  return { state: "ok", models, ...(facts && { facts }), at: clock.now(), failure: null };
}

const failed = (failure: string): ListingAnswer => ({
  state: "failed",
  models: [],
  at: null,
  failure,
});
