import { isBilling, type Lease, type ReleaseProof } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import type { Leases } from "../leases/open-leases.ts";
import {
  type ReleaseDependencies,
  type ReleaseOutcome,
  releaseRuntime,
} from "../release-runtime.ts";
import { writeChange } from "../write-change.ts";
import type { Attachments } from "./attachments.ts";
import { type Kept, takeWritten } from "./kept.ts";

export interface StepsDependencies extends Pick<ReleaseDependencies, "clock" | "pause" | "log"> {
  readonly leases: Pick<Leases, "list" | "read" | "update" | "catchUp" | "archive">;
  readonly driver: ReleaseDependencies["driver"] & {
    readonly forget: (name: string) => Promise<void>;
  };
  readonly attachments: Attachments;
  /** It costs nothing any more, and its name is free. */
  readonly drop: (kept: Kept) => void;
}

/** What ends a runtime or changes its lease; `kept` is then as it is on disk. */
export interface Steps {
  readonly change: (kept: Kept, change: LeaseChange) => Promise<void>;
  /** One attempt; joins the one that is under way. */
  readonly release: (kept: Kept, why: string) => Promise<ReleaseOutcome>;
  /** For one whose machine is proven gone. */
  readonly settleGone: (kept: Kept, proof: ReleaseProof) => Promise<ReleaseOutcome>;
  /** For one that was proven gone while the disk took nothing: its file is to say so as `ended` does. */
  readonly settleOver: (kept: Kept, ended: Lease) => Promise<ReleaseOutcome>;
  /** For what costs nothing: its file goes to the released ones. */
  readonly putAway: (kept: Kept) => Promise<ReleaseOutcome>;
}

export function createSteps(dependencies: StepsDependencies): Steps {
  const { leases, driver, attachments, log, drop } = dependencies;
  const releasing = { ...dependencies, closeTunnel: attachments.close };

  async function change(kept: Kept, fields: LeaseChange): Promise<void> {
    const before = kept.lease.phase;
    takeWritten(kept, await writeChange({ leases, log }, kept.lease, fields));
    if (kept.lease.phase === "ready") kept.ends_as = "stopped";
    if (kept.lease.phase !== before) attachments.changed(kept.lease);
  }

  async function archive(kept: Kept): Promise<ReleaseOutcome> {
    try {
      await leases.archive(kept.lease.name);
      await driver.forget(kept.lease.name);
    } catch (error) {
      log.error({ runtime: kept.lease.name, err: error }, "its files could not be put away");
    }
    drop(kept);
    return { kind: "released", lease: kept.lease };
  }

  return {
    change,
    release: (kept, why) =>
      end(kept, async () => {
        const { lease, ends_as } = kept;
        const outcome = await releaseRuntime(releasing, { lease, why, as: ends_as });
        kept.lease = outcome.lease;
        attachments.changed(kept.lease);
        return outcome.kind === "released" ? archive(kept) : outcome;
      }),
    settleGone: (kept, proof) =>
      end(kept, async () => {
        await attachments.close(kept.lease.name);
        await change(kept, { phase: "stopping", event: "its machine is gone" });
        const release = { ...kept.lease.release, proof };
        const event = `${kept.ends_as}: two listings lack its machine`;
        await change(kept, { phase: kept.ends_as, release, event });
        return archive(kept);
      }),
    settleOver: (kept, ended) =>
      end(kept, async () => {
        if (await isBehind(leases, kept.lease.name)) {
          const { phase, release, endpoint, external } = ended;
          await change(kept, { phase: "stopping", event: "the disk takes files again" });
          await change(kept, { phase, release, endpoint, external });
        }
        return archive(kept);
      }),
    putAway: (kept) =>
      end(kept, async () => {
        if (kept.lease.phase === "planned") {
          await change(kept, { phase: "failed", event: "nothing was asked of Colab" });
        }
        return archive(kept);
      }),
  };
}

/** Whether a file says that what is proven gone costs money, whatever else it has yet to catch up with. */
async function isBehind(leases: StepsDependencies["leases"], name: string): Promise<boolean> {
  await leases.catchUp(name);
  const file = await leases.read(name);
  return file?.kind === "lease" && isBilling(file.lease.phase);
}

/** The last thing that happens to a runtime, once at a time. */
function end(kept: Kept, act: () => Promise<ReleaseOutcome>): Promise<ReleaseOutcome> {
  kept.ending ??= act().finally(() => (kept.ending = null));
  return kept.ending;
}
