import type { Lease, ReleaseProof } from "../lease.ts";
import type { ListedSession, Listing } from "../listing.ts";
import { absenceProof, isOfAccount, mayStillAppear, OTHER_ACCOUNT } from "./absence.ts";
import { type DeadlineKind, deadlineState, type Watched } from "./deadlines.ts";
import { attribute } from "./orphans.ts";
import type { SteadyTime } from "./steady-time.ts";

/** What a lease that this process finds at its start needs. */
export type Finding =
  /** Another process that lives holds its lock: it may be read, not changed. */
  | { readonly kind: "follow" }
  /** Proven to cost nothing. */
  | { readonly kind: "archive" }
  /** Nothing was ever asked of Colab. */
  | { readonly kind: "fail" }
  /** Release it; its lease does not know its `machine` yet. */
  | { readonly kind: "release"; readonly why: string; readonly machine: ListedSession | null }
  /** Its machine is gone. */
  | { readonly kind: "gone"; readonly proof: ReleaseProof }
  /** Listed and used before: open its tunnel again. */
  | { readonly kind: "reattach" }
  /** Listed, and nobody knows what it serves: only its deadlines are kept. */
  | { readonly kind: "watch" }
  /** Costs money and cannot be told apart: degraded, and said at every tick. */
  | { readonly kind: "report"; readonly endpoints: readonly string[] }
  /** Another listing may tell. */
  | { readonly kind: "wait"; readonly why: string };

export interface ReconcileRequest extends Watched {
  readonly lock: "ours" | "other";
  /** All of this process, in the order in which they came. */
  readonly listings: readonly Listing[];
  /** The endpoint that the command itself has noted for a lease that does not know one; null without. */
  readonly stored: string | null;
  /** Every other lease there is, those of other processes too; null if not all can be read. */
  readonly others: readonly Lease[] | null;
}

/** What to do with a lease at the start, before anything else; asked again with each further listing. */
export function reconcile(request: ReconcileRequest, time: SteadyTime): Finding {
  const { lease, lock } = request;
  if (lock === "other") return { kind: "follow" };
  switch (lease.phase) {
    case "planned":
      return { kind: "fail" };
    case "failed":
      return { kind: "archive" };
    case "stopped":
      return lease.release.proof === null
        ? release("nothing proves that it was released")
        : { kind: "archive" };
    case "stopping":
      return release("its release was under way");
    default:
      return reconcileBilling(request, time);
  }
}

function reconcileBilling(request: ReconcileRequest, time: SteadyTime): Finding {
  const { lease, listings, others } = request;
  const { due } = deadlineState(request, time);
  const listing = listings.at(-1);
  if (lease.endpoint === null) return reconcileUnknown(request, time);
  if (due !== null) return release(DUE[due]);
  if (listing === undefined) return { kind: "wait", why: "nobody has asked Colab yet" };
  const proof = absenceProof({ subject: lease, listings, others: others ?? [] });
  const mayAppear = mayStillAppear(lease, lease.created_at, time.now);
  if (proof !== null && !mayAppear) return { kind: "gone", proof };
  const machine = listing.sessions.find(({ endpoint }) => endpoint === lease.endpoint);
  if (machine === undefined) {
    return { kind: "wait", why: "its machine is not listed, which one listing does not prove" };
  }
  if (lease.phase === "starting") {
    // That a listing has shown it is what lets its absence be proven at once.
    const shown = lease.external === null ? machine : null;
    return release("who started it died before it was ready", shown);
  }
  return lease.base_url === null ? { kind: "watch" } : { kind: "reattach" };
}

/** Colab was asked for a machine, and whoever asked died before the answer was on disk. */
function reconcileUnknown(request: ReconcileRequest, time: SteadyTime): Finding {
  const { lease, listings, others, stored } = request;
  if (stored !== null) return release("its start was cut short");
  const listing = listings.at(-1);
  if (listing === undefined) return { kind: "wait", why: "nobody has asked Colab yet" };
  if (!isOfAccount(lease, listing)) return { kind: "wait", why: OTHER_ACCOUNT };
  const found = attribute(lease, listing, others);
  if (found.kind === "one") return release("its start was cut short", found.machine);
  if (found.kind === "unclear") return { kind: "report", endpoints: found.endpoints };
  const proof = absenceProof({ subject: lease, listings, others: others ?? [] });
  if (proof === null || mayStillAppear(lease, lease.created_at, time.now)) {
    return { kind: "wait", why: "its machine may still appear" };
  }
  return { kind: "gone", proof };
}

/** Why a deadline releases, as the lease's history has it. */
export const DUE: Readonly<Record<DeadlineKind, string>> = {
  max_cu: "it has used the compute units it may",
  hard: "its life is over",
  idle: "nobody used it",
};

function release(why: string, machine: ListedSession | null = null): Finding {
  return { kind: "release", why, machine };
}
