import type { Clock } from "../../lib/clock.ts";
import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import { afterProbe } from "../policy/liveness.ts";
import { billingNotice, shownInstant } from "../policy/words.ts";
import type { Attachments, BeatReport } from "./attachments.ts";
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

  /** What the last heartbeats of a runtime came to, where that was not what they should. */
  const silent = new WeakMap<Kept, BeatReport["kind"]>();

  /** Says a trouble once, and that it is over. */
  function tellOf(kept: Kept, report: BeatReport): void {
    const before = silent.get(kept);
    if (report.kind === "alive") {
      silent.delete(kept);
      if (report.is_new) notify(`the watchdog of ${kept.lease.name} had died and was started anew`);
      else if (before !== undefined) notify(`${kept.lease.name} gets heartbeats again`);
      return;
    }
    silent.set(kept, report.kind);
    if (before !== report.kind) notify(troubleText(kept.lease, report));
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
      const report = await attachments.beat(kept.lease);
      kept.heartbeat_elapsed = clock.elapsed();
      const { watchdog } = kept.lease;
      if (watchdog === null || kept.ending !== null) return;
      if (report.kind !== "unknown") {
        // One that is dead was never seen: nothing is left to it any more.
        const seen_at = report.kind === "alive" ? Math.round(clock.now()) : null;
        await steps.change(kept, { watchdog: { ...watchdog, seen_at }, ...eventOf(report) });
      }
      tellOf(kept, report);
    },
  };
}

function eventOf(report: BeatReport) {
  if (report.kind === "dead") return { event: "its watchdog is dead" };
  return report.kind === "alive" && report.is_new ? { event: "its watchdog runs anew" } : {};
}

function troubleText(lease: Lease, { kind, why }: Exclude<BeatReport, { kind: "alive" }>): string {
  if (kind === "dead") {
    return `${billingNotice(lease)}: its watchdog is dead, so that only this router releases it: ${why}`;
  }
  const { seen_at = null, ttl_s = 0 } = lease.watchdog ?? {};
  const until = seen_at === null ? "soon" : `by ${shownInstant(seen_at + ttl_s * 1000)}`;
  return `${lease.name} gets no heartbeat, and its watchdog releases it ${until} unless one comes through: ${why}`;
}
