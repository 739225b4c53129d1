import { WATCHDOG_POLL_S } from "../bootstrap/cells.ts";
import { createMachineCalls } from "../bootstrap/machine.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { Lease } from "../lease.ts";
import type { BeatReport } from "../supervision/attachments.ts";
import { askAgain } from "./ask-again.ts";

export interface BeatDependencies {
  readonly driver: Pick<ColabDriver, "execute" | "upload" | "download" | "refresh">;
  readonly newId: () => string;
  readonly nextBeat: () => number;
  readonly secondsLeft: (name: string) => number;
}

/** Tells the watchdog that we are here, and starts one anew where it has died. */
export async function sendBeat(
  { driver, newId, nextBeat, secondsLeft }: BeatDependencies,
  lease: Lease,
): Promise<BeatReport> {
  const { name, watchdog } = lease;
  const machine = createMachineCalls({ driver, name, nonce: newId });
  const beat = () => ({ beat: nextBeat(), remaining_s: secondsLeft(name) });
  const answer = await askAgain(driver, lease, () => machine.sendHeartbeat(beat()));
  if (answer.kind === "failed") return { kind: "unknown", why: answer.fault.message };
  if (answer.watchdog_alive) {
    if (answer.releasing === null) return { kind: "alive", is_new: false };
    return { kind: "unknown", why: `its watchdog releases it: ${answer.releasing}` };
  }
  if (watchdog === null) return { kind: "dead", why: "none was ever started" };
  const limits = { ttl_s: watchdog.ttl_s, poll_s: WATCHDOG_POLL_S };
  const installed = await askAgain(driver, lease, () => machine.installWatchdog(beat(), limits));
  if (installed.kind === "ok") return { kind: "alive", is_new: true };
  return { kind: "dead", why: installed.fault.message };
}

/** Numbers that a watchdog has not seen yet, also after a restart. */
export function createBeats(clock: { readonly now: () => number }): () => number {
  let last = 0;
  return () => (last = Math.max(last + 1, Math.floor(clock.now() / 1000)));
}
