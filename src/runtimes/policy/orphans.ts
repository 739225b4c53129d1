import { isBilling, type Lease, NO_GPU } from "../lease.ts";
import type { ListedSession, Listing } from "../listing.ts";
import { isOfAccount, mayBeOf } from "./absence.ts";

/** A machine of the account that no lease accounts for: perhaps ours, perhaps a notebook in someone's browser. */
export interface Orphan {
  readonly session: ListedSession;
  /** How to take it over, and from there how to release it. */
  readonly command: string;
}

/** Machines that may cost money and that nobody here answers for. They are reported, never released. */
export function orphansOf({ sessions }: Listing, leases: readonly Lease[]): readonly Orphan[] {
  const billing = leases.filter(({ phase }) => isBilling(phase));
  return sessions
    .filter((session) => !billing.some((lease) => mayBeOf(lease, session, billing)))
    .map((session) => ({ session, command: `veriroute runtimes adopt ${session.endpoint}` }));
}

export type Attribution =
  | { readonly kind: "none" }
  /** The one machine that a lost answer can have been about. */
  | { readonly kind: "one"; readonly machine: ListedSession }
  /**
   * More than one, or of other hardware than was asked for, or without a GPU as any notebook in a browser
   * is: nothing may be released on a guess.
   */
  | { readonly kind: "unclear"; readonly endpoints: readonly string[] };

/** Whether Colab may have given it a machine of which nobody knows yet which one it is. */
export function isUnidentified({ phase, endpoint, was_refused }: Lease): boolean {
  return isBilling(phase) && endpoint === null && !was_refused;
}

/**
 * Which machine a lease without endpoint has brought about. `others` null: not all other leases can be
 * read, so any machine but one of its name may be theirs; so may one that another lease of which nobody
 * knows the machine has brought about.
 */
export function attribute(
  lease: Lease,
  listing: Listing,
  others: readonly Lease[] | null,
): Attribution {
  const { sessions } = listing;
  const named = sessions.find(({ name }) => name !== null && name === lease.session_name);
  if (named !== undefined) return { kind: "one", machine: named };
  if (!isOfAccount(lease, listing)) return { kind: "none" };
  const possible = sessions.filter((session) => mayBeOf(lease, session, others ?? []));
  const [only] = possible;
  if (only === undefined) return { kind: "none" };
  const rivals = others?.filter(isUnidentified) ?? [];
  const isDisputed = others === null || rivals.some((rival) => mayBeOf(rival, only, []));
  const isAlone = possible.length === 1 && !isDisputed;
  const isCertain = isAlone && only.hardware === lease.sku && lease.sku !== NO_GPU;
  if (isCertain) return { kind: "one", machine: only };
  return { kind: "unclear", endpoints: possible.map(({ endpoint }) => endpoint) };
}

/** What a lease says of the machine that turned out to be its own, in a listing or in the command's own notes. */
export function identified(
  machine: ListedSession | Pick<ListedSession, "endpoint">,
): Partial<Pick<Lease, "external">> & { readonly endpoint: string; readonly event: string } {
  const { endpoint } = machine;
  const event = `its machine is ${endpoint}`;
  if (!("hardware" in machine)) return { endpoint, event };
  const { hardware, variant } = machine;
  return { endpoint, external: { hardware, variant }, event };
}
