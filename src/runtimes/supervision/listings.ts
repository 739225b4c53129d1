import type { ColabDriver } from "../colab/driver.ts";
import type { Lease } from "../lease.ts";
import type { Leases } from "../leases/open-leases.ts";
import { amongOthers, knownLeases, otherLeases } from "../leases/other-leases.ts";
import type { Listing } from "../listing.ts";
import { PROOF_GAP_MS } from "../policy/absence.ts";
import { orphansOf } from "../policy/orphans.ts";
import { reconcile } from "../policy/reconcile.ts";
import { createAccountNotices } from "./accounts.ts";
import { type CarryOutDependencies, carryOutFinding } from "./carry-out.ts";
import { type Kept, noteListing } from "./kept.ts";
import type { Roster } from "./roster.ts";

/** Between two listings where nothing is unclear but something does not answer. */
const CALM_MS = 120_000;

export interface ListingsDependencies extends CarryOutDependencies {
  readonly leases: Pick<Leases, "list">;
  readonly driver: Pick<ColabDriver, "list" | "stored">;
  readonly roster: Roster;
}

export interface Listings {
  /** Everything that can be told of a runtime without another listing. */
  readonly examine: (kept: Kept) => Promise<void>;
  /** The listing of a start: leases are looked at, and machines that none accounts for are reported. */
  readonly first: () => Promise<void>;
  /** Asks Colab where something is unclear, beside everything else. */
  readonly askIfNeeded: () => void;
}

/** Asks Colab what there is, and hands what follows to `carryOutFinding`. */
export function createListings(dependencies: ListingsDependencies): Listings {
  const { leases, driver, roster, tasks, notify } = dependencies;
  let asked_elapsed = -Infinity;
  let isAsking = false;
  const noteAccount = createAccountNotices(notify);

  /** `all` null: not all leases can be read. */
  async function examineAmong(one: Kept, all: readonly Lease[] | null): Promise<void> {
    const { name, endpoint } = one.lease;
    const stored = endpoint === null ? ((await driver.stored(name))?.endpoint ?? null) : null;
    if (one.ending !== null) return;
    const others = all?.filter((lease) => lease.name !== name) ?? null;
    const request = { ...roster.view(one), listings: one.listings, others, stored } as const;
    carryOutFinding(dependencies, one, reconcile({ ...request, lock: "ours" }, roster.time()));
  }

  async function hear(): Promise<Listing> {
    const asking = await amongOthers(leases, "", () => driver.list());
    const { listing } = asking.result;
    asked_elapsed = roster.clock.elapsed();
    for (const one of roster.all()) {
      noteListing(one, listing);
      noteAccount(one.lease, listing);
      if (one.pending || one.lease.phase === "degraded") await examineAmong(one, asking.others);
    }
    return listing;
  }

  return {
    examine: async (one) => examineAmong(one, await otherLeases(leases, "")),
    async first() {
      const listing = await hear();
      const { known, unreadable } = await knownLeases(leases);
      const ours = roster.all().map(({ lease }) => lease);
      const readable = unreadable.length > 0 ? " that can be read" : "";
      for (const { session, command } of orphansOf(listing, [...known, ...ours])) {
        const what = `${session.endpoint} (${session.hardware}) runs, and no lease${readable} accounts for it`;
        notify(`${what}; to take it over: ${command}`);
      }
    },
    askIfNeeded() {
      const isUnclear = roster.all().some(({ pending }) => pending);
      if (!isUnclear && !roster.all().some(({ lease }) => lease.phase === "degraded")) return;
      const since = roster.clock.elapsed() - asked_elapsed;
      if (isAsking || since < (isUnclear ? PROOF_GAP_MS : CALM_MS)) return;
      isAsking = true;
      tasks.spawn(async () => {
        try {
          await hear();
        } finally {
          isAsking = false;
        }
      });
    },
  };
}
