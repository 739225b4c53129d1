import { isBilling, type Lease } from "../lease.ts";
import { type DeadlineKind, deadlineState, WARN_MS, type Watched } from "./deadlines.ts";
import { isProbed } from "./liveness.ts";
import { DUE } from "./reconcile.ts";
import { isReleaseDue } from "./release.ts";
import type { SteadyTime } from "./steady-time.ts";

/** Between two looks at the deadlines. No timer is ever set to a deadline: a long one fires at once. */
export const TICK_MS = 15_000;

/** A lease that this process answers for, with what it remembers of it. */
export interface Supervised extends Watched {
  /** Of this process's clock that never jumps; null: not yet. */
  readonly probed_elapsed: number | null;
  readonly heartbeat_elapsed: number | null;
  /** Deadlines that were warned of. */
  readonly warned: ReadonlySet<DeadlineKind>;
}

export type TickAction =
  | { readonly kind: "release"; readonly lease: Lease; readonly why: string }
  | {
      readonly kind: "warn";
      readonly lease: Lease;
      readonly of: DeadlineKind;
      readonly left_ms: number;
    }
  /** Tells the watchdog that we are here, and sees whether it is. */
  | { readonly kind: "heartbeat"; readonly lease: Lease }
  | { readonly kind: "probe"; readonly lease: Lease };

export interface TickSettings {
  readonly liveness_ms: number;
  readonly heartbeat_ms: number;
}

/**
 * Everything that one tick is to do: first all releases, then what may take its time. A probe that
 * hangs must not keep a runtime on the bill.
 */
export function planTick(
  supervised: readonly Supervised[],
  time: SteadyTime,
  settings: TickSettings,
): readonly TickAction[] {
  const actions = supervised
    .filter(({ lease }) => isBilling(lease.phase))
    .flatMap((one) => actionsOf(one, time, settings));
  return ORDER.flatMap((kind) => actions.filter((action) => action.kind === kind));
}

const ORDER = ["release", "warn", "heartbeat", "probe"] as const;

function actionsOf(one: Supervised, time: SteadyTime, settings: TickSettings): TickAction[] {
  const { lease } = one;
  if (lease.phase === "stopping") {
    const isDue = isReleaseDue(lease, time.now, TICK_MS);
    return isDue ? [{ kind: "release", lease, why: "its release is not proven" }] : [];
  }
  const { due, left } = deadlineState(one, time);
  if (due !== null) return [{ kind: "release", lease, why: DUE[due] }];
  const { elapsed } = time.reading;
  const heartbeatDue = isOlder(one.heartbeat_elapsed, heartbeatMs(lease, settings), elapsed);
  const probeDue = isOlder(one.probed_elapsed, settings.liveness_ms, elapsed);
  return [
    ...warnings(one, left),
    ...(lease.watchdog !== null && (heartbeatDue || time.woke)
      ? [{ kind: "heartbeat" as const, lease }]
      : []),
    ...(isProbed(lease) && (probeDue || time.woke) ? [{ kind: "probe" as const, lease }] : []),
  ];
}

/** What its watchdog was promised counts where the setting has become longer: that releases by its own limit. */
function heartbeatMs({ watchdog }: Lease, { heartbeat_ms }: TickSettings): number {
  return Math.min(heartbeat_ms, (watchdog?.heartbeat_s ?? Infinity) * 1000);
}

function warnings(
  { lease, warned }: Supervised,
  left: Readonly<Record<DeadlineKind, number | null>>,
): TickAction[] {
  return (["max_cu", "hard", "idle"] as const).flatMap((of) => {
    const left_ms = left[of];
    if (left_ms === null || left_ms > WARN_MS || warned.has(of)) return [];
    return [{ kind: "warn" as const, lease, of, left_ms }];
  });
}

function isOlder(since: number | null, interval_ms: number, elapsed: number): boolean {
  return since === null || elapsed - since >= interval_ms;
}
