import { touched } from "../policy/deadlines.ts";
import type { BringUpStep } from "./bring-up-step.ts";
import type { Problem } from "./step.ts";

const TRIES = 3;

/** Opens the tunnel and makes the runtime an instance like any other. */
export async function attach(step: BringUpStep): Promise<Problem | null> {
  const { attachments, clock, lease, change } = step;
  for (let tries = 0; tries < TRIES; tries++) {
    const opened = await attachments.open(lease());
    if (opened === null) continue;
    const idle = touched(lease(), clock.now());
    await change({ ...opened, ...idle, phase: "ready", liveness_misses: 0, event: "ready" });
    return null;
  }
  const why = step.tunnelProblem(lease().name);
  return {
    message: `its server is ready, but not reached through the tunnel${why === null ? "" : `: ${why}`}`,
  };
}
