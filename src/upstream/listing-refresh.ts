import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { ReportChange } from "./discovery-change.ts";
import type { Fetch } from "./fetch.ts";
import type { Instance, InstanceRegistry } from "./instance.ts";
import { listsPrices } from "./listing-price.ts";
import { listModels } from "./listing.ts";
import type { RouterIdentity } from "./outbound-headers.ts";

const INTERVAL_MS = 10 * 60_000;
const FIRST_RETRY_MS = 10_000;
/** Keeps the instances of one start from asking in step for ever. */
const JITTER = 0.1;

export interface ListingRefreshDependencies {
  readonly registry: InstanceRegistry;
  readonly fetch: Fetch;
  readonly identity: RouterIdentity;
  readonly clock: Clock;
  readonly random: Random;
  readonly report: ReportChange;
}

interface Schedule {
  readonly failures: number;
  /** On the clock's `elapsed`; infinite while a listing is under way. */
  readonly due: number;
}

/**
 * Returns a function that asks every instance whose listing is due: new ones at once, then every ten
 * minutes, after failures sooner at first. Instances whose models the config names are asked only where
 * the listing says what models cost.
 */
export function createListingRefresh(dependencies: ListingRefreshDependencies) {
  const { registry, fetch, identity, clock, random, report } = dependencies;
  // By identity, so that an instance that a reload made anew is asked anew.
  const schedules = new WeakMap<Instance, Schedule>();

  async function refresh(instance: Instance, { failures }: Schedule, signal: AbortSignal) {
    schedules.set(instance, { failures, due: Infinity });
    const answer = await listModels({ fetch, instance, identity, clock, signal });
    if (signal.aborted) return;
    const failed = answer.state === "failed";
    const wait = failed ? Math.min(FIRST_RETRY_MS * 3 ** failures, INTERVAL_MS) : INTERVAL_MS;
    const due = clock.elapsed() + Math.round(wait * (1 - JITTER + 2 * JITTER * random()));
    schedules.set(instance, { failures: failed ? failures + 1 : 0, due });
    // A reload may have put another instance under this name meanwhile.
    if (registry.get(instance.name) !== instance) return;
    const { name } = instance;
    const last = registry.listing(name);
    if (answer.failure === null) {
      const { failure: _none, ...listing } = answer;
      registry.setListing(name, listing);
      if (last.state !== "ok") {
        report({ kind: "listed", instance: name, models: answer.models.length });
      }
      return;
    }
    registry.setListing(name, { ...last, state: "failed" });
    if (last.state !== "failed") {
      report({ kind: "listing_failed", instance: name, failure: answer.failure });
    }
  }

  return async function refreshDue(signal: AbortSignal): Promise<void> {
    const now = clock.elapsed();
    const looks = registry.list().flatMap((instance) => {
      const schedule = schedules.get(instance) ?? { failures: 0, due: now };
      const isDue = isListed(instance) && schedule.due <= now;
      return isDue ? [refresh(instance, schedule, signal)] : [];
    });
    await Promise.all(looks);
  };
}

/** Prices change and are nowhere else: where a listing has them it is read whatever the config names. */
function isListed({ source, problem, configured_models, type }: Instance): boolean {
  const isKnown = source === "local" || (configured_models !== null && !listsPrices(type.id));
  return !isKnown && problem === null && type.paths.models !== null;
}
