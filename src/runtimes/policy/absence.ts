import { type Lease, NO_GPU, type ReleaseProof } from "../lease.ts";
import type { ListedSession, Listing } from "../listing.ts";

/** Between the two listings that prove an absence: a single one may lag or lie. */
export const PROOF_GAP_MS = 30_000;

/** A machine that was asked for may take this long to be listed. */
const LATE_LISTING_MS = 5 * 60_000;

/**
 * Whether a machine may be there although listings lack it: it was asked for a moment ago and no listing
 * has shown it yet. `since` is when it was asked for, or when whoever asked gave up.
 */
export function mayStillAppear(
  { external, was_refused }: Pick<Lease, "external" | "was_refused">,
  since: number,
  now: number,
): boolean {
  return external === null && !was_refused && now - since < LATE_LISTING_MS;
}

/** Said where a listing is of another account than a lease, or nobody knows of which. */
export const OTHER_ACCOUNT =
  "the login of `colab` now is not, or not for sure, that of its machine, which its lease names as `account`";

/** Whether what a listing lacks, or shows without a name, says something of a lease. */
export function isOfAccount({ account }: Pick<Lease, "account">, listing: Listing): boolean {
  if (account === null) return true;
  const { account: asked } = listing;
  if (asked === undefined) return false;
  return account.email === null ? asked.auth === account.auth : asked.email === account.email;
}

export type Subject = Pick<
  Lease,
  "account" | "endpoint" | "session_name" | "sessions_before" | "sku" | "was_refused"
>;

/**
 * Whether a machine is, or may be, the one of a lease. While its endpoint is unknown that is any machine of
 * its kind without a name that was not there before and that no other lease has: an answer of `colab new` that
 * was lost leaves no other trace. Where Colab refused there is none: whatever comes is somebody else's.
 */
export function mayBeOf(
  { endpoint, session_name, sessions_before, sku, was_refused }: Subject,
  session: ListedSession,
  others: readonly Pick<Lease, "endpoint">[],
): boolean {
  if (endpoint !== null) return session.endpoint === endpoint;
  if (was_refused) return false;
  if (session.name !== null) return session.name === session_name;
  // Who asks for no GPU may be given one, and nothing of its kind is released on a guess.
  const isAlike = sku === NO_GPU || isGpu(session);
  const isKnown =
    sessions_before.includes(session.endpoint) ||
    others.some((other) => other.endpoint === session.endpoint);
  return isAlike && !isKnown;
}

const isGpu = ({ variant }: ListedSession) => variant !== "DEFAULT" && variant !== "TPU";

export interface AbsenceRequest {
  readonly subject: Subject;
  /** In the order in which they came; all after the release, or after the start of this process. */
  readonly listings: readonly Listing[];
  readonly others: readonly Pick<Lease, "endpoint">[];
}

/**
 * Proof that the machine is gone: the last clean listing and one at least 30 s before it lack it, and
 * none between them shows it. What a doubtful listing shows is there; what it lacks proves nothing, nor does
 * what one of another account lacks.
 */
export function absenceProof({ subject, listings, others }: AbsenceRequest): ReleaseProof | null {
  const lastSeen = listings.findLastIndex(({ sessions }) =>
    sessions.some((session) => mayBeOf(subject, session, others)),
  );
  const clean = listings
    .slice(lastSeen + 1)
    .filter((listing) => listing.kind === "clean" && isOfAccount(subject, listing));
  const [first] = clean;
  const last = clean.at(-1);
  if (first === undefined || last === undefined) return null;
  if (last.at.elapsed - first.at.elapsed < PROOF_GAP_MS) return null;
  return {
    kind: subject.endpoint === null ? "never_assigned" : "absent",
    first_listing_at: first.at.now,
    second_listing_at: last.at.now,
    endpoint: subject.endpoint,
  };
}
