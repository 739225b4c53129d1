import type { Lease } from "../lease.ts";
import { moveProblem } from "../policy/phases.ts";
import { leaseSummary } from "../policy/words.ts";
import { leaseError } from "./lease-error.ts";
import {
  isObject,
  type JsonObject,
  LEASE_SCHEMA,
  type ReadableLease,
  readLease,
} from "./read-lease.ts";

/** What never changes once a lease exists: the hard deadline above all. */
const FIXED = [
  "schema",
  "summary",
  "name",
  "lease_id",
  "created_at",
  "hard_deadline",
  "events",
  "phase_at",
] as const satisfies readonly (keyof Lease)[];

/** Fields to be replaced, and what happened, for the file's own history. */
export type LeaseChange = Partial<Omit<Lease, (typeof FIXED)[number]>> & {
  readonly event?: string;
};

const MAX_EVENTS = 50;
const MAX_EVENT_LENGTH = 300;

/** The lease after a change, and all that its file will hold. Throws `LeaseError` `forbidden`. */
export function changeLease(
  { name, lease, raw }: ReadableLease,
  { event, ...fields }: LeaseChange,
  now: number,
): ReadableLease {
  const release = fields.release ?? lease.release;
  const fixed = FIXED.find((key) => key in fields);
  if (fixed !== undefined) throw leaseError("forbidden", `\`${fixed}\` of \`${name}\` is fixed`);
  const problem =
    fields.phase === undefined ? null : moveProblem({ ...lease, release }, fields.phase);
  if (problem !== null) throw leaseError("forbidden", problem);
  const moved = fields.phase !== undefined && fields.phase !== lease.phase;
  const next: Lease = {
    ...lease,
    ...fields,
    ...(moved ? { phase_at: now } : {}),
    events: withEvent(lease.events, event, now),
  };
  const changes = {
    ...fields,
    ...(moved ? { phase_at: now } : {}),
    ...(event === undefined ? {} : { events: next.events }),
    summary: leaseSummary(next),
  };
  const read = readLease(name, JSON.stringify(overlay(raw, changes)));
  if (read.kind === "unreadable") {
    throw leaseError("forbidden", `\`${name}\` would become unreadable: ${read.reason}`);
  }
  return read;
}

/** A new lease, as its file will hold it. */
export function newLease(lease: Omit<Lease, "schema" | "summary">): ReadableLease {
  const full: Lease = { ...lease, schema: LEASE_SCHEMA, summary: "" };
  const read = readLease(lease.name, JSON.stringify({ ...full, summary: leaseSummary(full) }));
  if (read.kind === "lease") return read;
  throw leaseError("forbidden", `\`${lease.name}\` cannot be a lease: ${read.reason}`);
}

function withEvent(events: Lease["events"], what: string | undefined, at: number): Lease["events"] {
  if (what === undefined) return events;
  return [...events, { at, what: what.slice(0, MAX_EVENT_LENGTH) }].slice(-MAX_EVENTS);
}

/** `changes` over `below`, table by table: what only the file has stays in it. */
export function overlay(below: JsonObject, changes: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(changes)) {
    const old = below[key];
    merged[key] = isObject(value) && isObject(old) ? overlay(old, value) : value;
  }
  return merged;
}
