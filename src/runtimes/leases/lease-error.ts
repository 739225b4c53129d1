import type { Lease } from "../lease.ts";

export type LeaseErrorKind =
  | "unwritable"
  | "full"
  /** There is no such lease. */
  | "missing"
  /** The file is damaged; it was left as it is. */
  | "unreadable"
  /** A change that the rules forbid: a fault of ours. */
  | "forbidden"
  | "failed";

/** Thrown where a lease cannot be kept. `message` says what failed, on which file, and the way out. */
export class LeaseError extends Error {
  readonly kind: LeaseErrorKind;
  /** As it is in memory now, and on disk with the next write that succeeds; null where that is not known. */
  readonly lease: Lease | null;

  constructor(
    kind: LeaseErrorKind,
    message: string,
    { cause, lease = null }: { readonly cause?: unknown; readonly lease?: Lease | null } = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "LeaseError";
    this.kind = kind;
    this.lease = lease;
  }
}

const ADVICE: Readonly<Record<LeaseErrorKind, string>> = {
  unwritable:
    "Check that this user may write to it, or choose another state directory with `VERIROUTE_STATE_DIR`.",
  full: "Free some space on its disk.",
  missing: "`veriroute runtimes status` lists those there are.",
  unreadable: "Look at it by hand: what it describes may still be billing.",
  forbidden: "This is a fault of the router.",
  failed: "See the cause.",
};

/** What the file system threw, as a `LeaseError` with its advice. */
export function toLeaseError(error: unknown, what: string): LeaseError {
  if (error instanceof LeaseError) return error;
  const kind = kindOf(codeOf(error));
  const reason = error instanceof Error ? error.message : String(error);
  return new LeaseError(kind, `${what}: ${reason}. ${ADVICE[kind]}`, { cause: error });
}

/** The same for a change that is kept in memory. */
export function keptInMemory(error: LeaseError, lease: Lease): LeaseError {
  return new LeaseError(error.kind, error.message, { cause: error.cause, lease });
}

export function leaseError(kind: LeaseErrorKind, what: string): LeaseError {
  return new LeaseError(kind, `${what}. ${ADVICE[kind]}`);
}

function kindOf(code: unknown): LeaseErrorKind {
  if (code === "ENOSPC" || code === "EDQUOT") return "full";
  return typeof code === "string" && /^E[A-Z]+$/.test(code) ? "unwritable" : "failed";
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
