/**
 * What a runtime's lease file says, and the words that the driver, the supervisor and the command
 * line share about it. Field names are those of the file: snake_case, instants in epoch ms (`_at`,
 * `_deadline`), durations in `_ms`.
 */
import { type Static, Type } from "@sinclair/typebox";

import { isSku, type Sku } from "../sizing/gpus.ts";
import { choices, instant, nullable, open, text } from "./lease-kinds.ts";
import { LeasePlan, LeaseSpec } from "./lease-plan.ts";

export { isSku, type Sku };

/** Names become file names and session names, so that no two may fall together. */
export const LEASE_NAME = /^[a-z0-9][a-z0-9-]{0,38}$/;

/** What stands for a GPU where a machine has none; listings say the same. */
export const NO_GPU = "CPU";

/**
 * `planned` is not on the bill yet; `stopped` and `failed` are off it, with proof. `detached` bills
 * and is watched by nobody here; `degraded` bills and does not serve, or nobody knows what it serves.
 */
export const PHASES = [
  "planned",
  "starting",
  "ready",
  "degraded",
  "stopping",
  "stopped",
  "failed",
  "detached",
] as const;
export type Phase = (typeof PHASES)[number];

const BILLING: ReadonlySet<Phase> = new Set([
  "starting",
  "ready",
  "degraded",
  "stopping",
  "detached",
]);

export function isBilling(phase: Phase): boolean {
  return BILLING.has(phase);
}

/** Whose machines a login shows. */
export const Account = Type.Object(
  {
    /** How `colab` was told to log in: `oauth2` or `adc`. */
    auth: text,
    /** In lower case; null where the login names none. */
    email: nullable(text),
  },
  open,
);
export type Account = Static<typeof Account>;

/** The process that answers for the runtime. */
const LeaseOwner = Type.Object(
  {
    pid: Type.Integer({ minimum: 1 }),
    boot_id: nullable(text),
    started_at: instant,
    host: text,
    version: text,
  },
  open,
);
type LeaseOwner = Static<typeof LeaseOwner>;

/** What a runtime costs: compute units an hour, and where that number comes from. */
const LeaseRate = Type.Object(
  {
    /** Null where no source names one. */
    cu_h: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    /** A day, such as `2026-03-10`. */
    as_of: text,
    source: text,
  },
  open,
);
type LeaseRate = Static<typeof LeaseRate>;

/** The loop on the VM that releases it when our heartbeat stops or the hard deadline passes. */
const Watchdog = Type.Object(
  {
    installed_at: instant,
    ttl_s: Type.Number({ exclusiveMinimum: 0 }),
    heartbeat_s: Type.Number({ exclusiveMinimum: 0 }),
    /** When it was last seen alive with a fresh heartbeat. */
    seen_at: nullable(instant),
  },
  open,
);
type Watchdog = Static<typeof Watchdog>;

/** Why a runtime counts as released: two listings, far enough apart, that both lack it. */
export const ReleaseProof = Type.Object(
  {
    kind: choices(["absent", "never_assigned"] as const),
    first_listing_at: instant,
    second_listing_at: instant,
    /** Null where none was ever known. */
    endpoint: nullable(text),
  },
  open,
);
export type ReleaseProof = Static<typeof ReleaseProof>;

const Release = Type.Object(
  {
    attempts: Type.Integer({ minimum: 0 }),
    last_at: nullable(instant),
    last_error: nullable(text),
    proof: nullable(ReleaseProof),
  },
  open,
);

const LeaseEvent = Type.Object({ at: instant, what: text }, open);
type LeaseEvent = Static<typeof LeaseEvent>;

/** The hard deadline once more, on a clock that no one sets: milliseconds since boot, suspend included. */
const BootTime = Type.Object(
  {
    boot_id: text,
    boottime_ms: Type.Number({ minimum: 0 }),
    remaining_ms: Type.Number(),
  },
  open,
);
type BootTime = Static<typeof BootTime>;

/** One runtime. Never holds a secret, a prompt or a token. */
export const Lease = Type.Object(
  {
    schema: Type.Integer({ minimum: 1 }),
    /** For whoever reads the file when nothing else works; made anew at every write. */
    summary: Type.String({ default: "" }),
    name: text,
    lease_id: text,
    backend: Type.String({ default: "colab" }),
    /** A word that this version does not know reads as `degraded`, and stays in the file. */
    phase: choices(PHASES),
    created_at: instant,
    phase_at: instant,
    owner: LeaseOwner,
    spec: nullable(LeaseSpec),
    plan: nullable(LeasePlan),
    /** One of `SKUS`, `NO_GPU`, or one that only a later version knows. */
    sku: text,
    /** What was handed to `--gpu`. */
    cli_gpu: nullable(text),
    session_name: text,
    /** Where the machine is, and every listing that is to prove something; null: whoever made it did not ask. */
    account: nullable(Account),
    endpoint: nullable(text),
    /** Endpoints listed before `colab new`: whatever is among them is not ours. */
    sessions_before: Type.Array(text, { default: [] }),
    /** Colab said in so many words that it gives no machine: none can come, and whatever does is not ours. */
    was_refused: Type.Boolean({ default: false }),
    /** What the listing says about the machine; null until one has shown it, which may take minutes. */
    external: nullable(Type.Object({ hardware: text, variant: text }, open)),
    local_port: nullable(Type.Integer({ minimum: 1, maximum: 65_535 })),
    tunnel_pid: nullable(Type.Integer({ minimum: 1 })),
    base_url: nullable(text),
    served_model: nullable(text),
    idle_minutes: Type.Number({ exclusiveMinimum: 0 }),
    idle_deadline: instant,
    /** Never moves later by itself. */
    hard_deadline: instant,
    hard_remaining_ms_at: nullable(BootTime),
    last_activity_at: instant,
    /** Compute units after which it is released, whatever else. */
    max_cu: nullable(Type.Number({ exclusiveMinimum: 0 })),
    rate: LeaseRate,
    /** What it has cost so far by the clock; null where the rate is unknown. */
    cu_estimate: nullable(Type.Number({ minimum: 0 })),
    watchdog: nullable(Watchdog),
    liveness_misses: Type.Integer({ minimum: 0, default: 0 }),
    release: Type.Object(Release.properties, {
      ...open,
      default: { attempts: 0, last_at: null, last_error: null, proof: null },
    }),
    error: nullable(text),
    /** Oldest first; the last 50. */
    events: Type.Array(LeaseEvent, { default: [] }),
  },
  open,
);
export type Lease = Static<typeof Lease>;
