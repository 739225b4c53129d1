import { USD_PER_CU } from "../sizing/gpus.ts";
import { isBilling, type Lease } from "./lease.ts";
import type { LeaseFile } from "./leases/read-lease.ts";
import { unitsUsed } from "./policy/deadlines.ts";
import { billingNotice, unreadableNotice } from "./policy/words.ts";

/** A runtime as it is shown; nothing in it is secret. */
export interface RuntimeView {
  readonly name: string;
  /** A phase of the lease, or `unreadable`. */
  readonly phase: Lease["phase"] | "unreadable";
  /** What clients may ask for; null where nobody knows what it serves. */
  readonly target: string | null;
  readonly sku: string | null;
  readonly endpoint: string | null;
  readonly created_at: number | null;
  /** Null while a request runs, or it is not ready. */
  readonly idle_deadline: number | null;
  readonly hard_deadline: number | null;
  readonly cu_h: number | null;
  /** Compute units so far, by the clock. */
  readonly compute_units: number | null;
  readonly cost_usd: number | null;
  /** The process that keeps its deadlines; null where none does. */
  readonly watched_by: number | null;
  /** When its own watchdog was last seen alive; null without one. */
  readonly watchdog_seen_at: number | null;
  readonly base_url: string | null;
  readonly error: string | null;
  readonly last_event: { readonly at: number; readonly what: string } | null;
  /** Set where it may cost money that nobody means to spend. */
  readonly notice: string | null;
  /** What of its file was not understood. */
  readonly doubts: readonly string[];
}

export interface Viewing {
  readonly now: number;
  readonly watched_by: number | null;
}

export function viewOfFile(file: LeaseFile, viewing: Viewing): RuntimeView {
  if (file.kind === "lease") return { ...viewOf(file.lease, viewing), doubts: file.doubts };
  return {
    ...NOTHING_KNOWN,
    name: file.name,
    watched_by: viewing.watched_by,
    error: file.reason,
    notice: unreadableNotice(file.name),
  };
}

const NOTHING_KNOWN = {
  phase: "unreadable",
  target: null,
  sku: null,
  endpoint: null,
  created_at: null,
  idle_deadline: null,
  hard_deadline: null,
  cu_h: null,
  compute_units: null,
  cost_usd: null,
  watchdog_seen_at: null,
  base_url: null,
  last_event: null,
  doubts: [],
} as const;

export function viewOf(lease: Lease, { now, watched_by }: Viewing): RuntimeView {
  const { name, phase, served_model, sku, endpoint, created_at, rate, base_url, error } = lease;
  const until = isBilling(phase) ? now : lease.phase_at;
  const compute_units = unitsUsed(lease, until);
  return {
    name,
    phase,
    target: served_model === null ? null : `${name}:${served_model}`,
    sku,
    endpoint,
    created_at,
    idle_deadline: phase === "ready" || phase === "degraded" ? lease.idle_deadline : null,
    hard_deadline: lease.hard_deadline,
    cu_h: rate.cu_h,
    compute_units,
    cost_usd: compute_units === null ? null : compute_units * USD_PER_CU,
    watched_by,
    watchdog_seen_at: lease.watchdog?.seen_at ?? null,
    base_url,
    error: error ?? lease.release.last_error,
    last_event: lease.events.at(-1) ?? null,
    notice: isUnmeant(lease, watched_by) ? billingNotice(lease) : null,
    doubts: [],
  };
}

/** Whether it costs money without doing what it is for, or without anybody who ends it. */
function isUnmeant({ phase }: Lease, watched_by: number | null): boolean {
  return isBilling(phase) && (watched_by === null || (phase !== "ready" && phase !== "starting"));
}
