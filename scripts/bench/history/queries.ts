import { quantile } from "../rig/numbers.ts";
import { FILLED } from "./fill.ts";

export interface QueryTime {
  readonly path: string;
  readonly first_ms: number;
  readonly p50_ms: number;
  readonly longest_ms: number;
  /** Of the page, so that a query that found nothing is seen. */
  readonly items: number;
}

/** Every list of the admin API that reads the store, by each filter and by pairs that no one index answers. */
export function adminQueries(now: number): string[] {
  const middle = now - (FILLED.days / 2) * 86_400_000;
  const decisions = [
    "",
    "limit=500",
    "model=pool:p-3",
    "model=model-3",
    "model=box-3:model-3",
    "model=nothing-like-it",
    "target=box-3:model-3",
    "target=box-9:none",
    "status=200",
    "status=429",
    "status=404",
    "status=418",
    `from=${middle}`,
    `to=${middle}`,
    `from=${middle}&to=${middle + 1}`,
    "model=pool:p-3&status=404",
    "model=pool:p-3&status=418",
    "target=box-3:model-3&status=404",
    "target=box-3:model-3&status=418",
    "model=pool:p-2&target=box-3:model-3",
    `status=404&to=${middle}`,
    `target=box-3:model-3&to=${middle}`,
    `target=box-3:model-3&model=nothing-like-it`,
  ].map((query) => `/admin/v1/decisions?${query}`);
  const verifications = [
    "",
    "limit=500",
    "instance=box-1",
    "target=box-0:model-0",
    "verdict=empty",
    "verdict=none",
    "signature=empty_200",
    "attributable=1",
    `to=${middle}`,
    "verdict=empty&instance=box-9",
    `decision_id=01900000-${"0".repeat(12)}`,
  ].map((query) => `/admin/v1/verifications?${query}`);
  const others = ["/admin/v1/audit", `/admin/v1/decisions/01900000-${"0".repeat(12)}`];
  return [...decisions, ...verifications, ...others];
}

/** Asks `times` times; throws where the answer is no list or record. */
export async function timeQuery(origin: string, path: string, times: number): Promise<QueryTime> {
  const taken: number[] = [];
  let items = 0;
  for (let n = 0; n < times; n++) {
    const began = performance.now();
    const response = await fetch(origin + path, { proxy: false });
    const text = await response.text();
    taken.push(performance.now() - began);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    items = JSON.parse(text).items?.length ?? 1;
  }
  const [first_ms = Number.NaN] = taken;
  return {
    path,
    first_ms,
    p50_ms: quantile(taken, 0.5),
    longest_ms: Math.max(...taken),
    items,
  };
}

/** The page that a client reaches after following `next` so often. */
export async function deepPage(origin: string, path: string, depth: number): Promise<string> {
  let at = path;
  for (let n = 0; n < depth; n++) {
    const response = await fetch(origin + at, { proxy: false });
    const { next }: { next: string | null } = JSON.parse(await response.text());
    if (next === null) return at;
    at = `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(next)}`;
  }
  return at;
}
