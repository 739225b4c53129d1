import type { Log } from "../../telemetry/log.ts";
import { isBilling } from "../lease.ts";
import type { Pause } from "../pause.ts";
import { onExit } from "../policy/on-exit.ts";
import { releaseDelay } from "../policy/release.ts";
import { TICK_MS } from "../policy/tick.ts";
import { billingNotice, shownInstant } from "../policy/words.ts";
import type { Attachments } from "./attachments.ts";
import type { Kept } from "./kept.ts";
import type { Roster } from "./roster.ts";
import type { Steps } from "./steps.ts";

export interface LeaveDependencies {
  readonly roster: Roster;
  readonly steps: Steps;
  readonly attachments: Pick<Attachments, "close">;
  readonly settings: () => { readonly on_exit: "detach" | "release" };
  readonly pause: Pause;
  readonly log: Pick<Log, "error">;
  readonly notify: (text: string) => void;
}

/**
 * What becomes of a runtime whose process ends: left to its watchdog, or released until the limit. The
 * notice of one that may still cost money then; null for any other. Never rejects: the others' releases
 * would be cut short.
 */
export async function leave(
  dependencies: LeaveDependencies,
  kept: Kept,
  limit: AbortSignal,
): Promise<string | null> {
  try {
    return await leaveOrRelease(dependencies, kept, limit);
  } catch (error) {
    dependencies.log.error({ runtime: kept.lease.name, err: error }, "it could not be left");
    return isBilling(kept.lease.phase) ? billingNotice(kept.lease) : null;
  }
}

async function leaveOrRelease(
  { roster, steps, attachments, settings, pause, notify }: LeaveDependencies,
  kept: Kept,
  limit: AbortSignal,
): Promise<string | null> {
  const action = onExit(kept.lease, settings().on_exit, roster.clock.now());
  if (action.kind === "nothing") {
    roster.drop(kept);
    return null;
  }
  if (action.kind === "detach" && kept.ending === null) {
    await attachments.close(kept.lease.name);
    await steps.change(kept, { phase: "detached", event: "left to its watchdog" });
    roster.drop(kept);
    notify(`${kept.lease.name} goes on; its watchdog releases it by ${shownInstant(action.until)}`);
    return null;
  }
  const why = action.kind === "release" ? action.why : "it is being released";
  while (!limit.aborted) {
    const outcome = await steps.release(kept, why);
    if (outcome.kind === "released") return null;
    await pause(releaseDelay(outcome.lease.release.attempts, TICK_MS), limit);
  }
  return billingNotice(kept.lease);
}
