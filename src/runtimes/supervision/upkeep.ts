import type { Clock } from "../../lib/clock.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import { afterProbe } from "../policy/liveness.ts";
import { billingNotice } from "../policy/words.ts";
import type { Attachments } from "./attachments.ts";
import type { Kept } from "./kept.ts";
import type { Steps } from "./steps.ts";

export interface UpkeepDependencies {
  readonly attachments: Pick<Attachments, "open" | "probe" | "beat">;
  readonly steps: Pick<Steps, "change">;
  readonly clock: Clock;
  readonly notify: (text: string) => void;
}

/** What keeps a runtime in service. None of it releases anything, and all of it yields to a release. */
export interface Upkeep {
  readonly reattach: (kept: Kept) => Promise<void>;
  readonly probe: (kept: Kept) => Promise<void>;
  readonly beat: (kept: Kept) => Promise<void>;
}

export function createUpkeep({ attachments, steps, clock, notify }: UpkeepDependencies): Upkeep {
  /** One that costs money and does not serve is said, and so is its return. */
  async function become(kept: Kept, change: LeaseChange): Promise<void> {
    const before = kept.lease.phase;
    await steps.change(kept, change);
    const { name, phase } = kept.lease;
    if (phase === before) return;
    if (phase === "degraded") notify(`${billingNotice(kept.lease)}: it does not answer`);
    if (phase === "ready") notify(`${name} answers again`);
  }

  return {
    async reattach(kept) {
      const opened = await attachments.open(kept.lease);
      if (kept.ending !== null) return;
      kept.probed_elapsed = clock.elapsed();
      await become(
        kept,
        opened === null
          ? { phase: "degraded", event: "it does not answer" }
          : { ...opened, phase: "ready", liveness_misses: 0, event: "attached again" },
      );
    },
    async probe(kept) {
      const answered = await attachments.probe(kept.lease);
      kept.probed_elapsed = clock.elapsed();
      const { phase, liveness_misses } = kept.lease;
      const next = kept.ending === null ? afterProbe(kept.lease, answered) : null;
      if (next === null) return;
      if (next.phase === phase && next.liveness_misses === liveness_misses) return;
      const event = next.phase === phase ? {} : { event: `${next.phase}, by a probe` };
      await become(kept, { ...next, ...event });
    },
    async beat(kept) {
      const alive = await attachments.beat(kept.lease);
      kept.heartbeat_elapsed = clock.elapsed();
      const { watchdog } = kept.lease;
      if (!alive || watchdog === null || kept.ending !== null) return;
      await steps.change(kept, { watchdog: { ...watchdog, seen_at: Math.round(clock.now()) } });
    },
  };
}
