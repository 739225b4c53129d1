import { WATCHDOG_POLL_S } from "../bootstrap/cells.ts";
import { insist, obtain, type Problem, type Step } from "./step.ts";

/** The first thing that runs on the machine is what releases it without us. */
export async function guard(step: Step): Promise<Problem | null> {
  const { machine, settings, supervisor, request, clock, nextBeat, change } = step;
  const limits = { ttl_s: settings.heartbeat_ttl_ms / 1000, poll_s: WATCHDOG_POLL_S };
  const unguarded = await insist(step, () => {
    const remaining_s = supervisor.secondsLeft(request.name);
    return machine.installWatchdog({ beat: nextBeat(), remaining_s }, limits);
  });
  if (unguarded === null) {
    const at = Math.round(clock.now());
    const heartbeat_s = settings.heartbeat_ms / 1000;
    const watchdog = { installed_at: at, ttl_s: limits.ttl_s, heartbeat_s, seen_at: at };
    await change({ watchdog, event: "its watchdog runs" });
    return null;
  }
  if (request.without_watchdog) {
    await change({ event: "without a watchdog: only this computer can release it" });
    return null;
  }
  const message = `the machine cannot be made to release itself, so a crash here could leave it billing for a day: ${unguarded.message}; \`--no-watchdog\` accepts that`;
  return { message };
}

/** Whether it has the GPU that it is paid for. */
export async function findGpu(step: Step): Promise<Problem | null> {
  const probe = await obtain(step, step.machine.probe);
  if (probe.kind === "failed") return probe.problem;
  const [gpu] = probe.gpus;
  if (gpu === undefined) return { message: "the machine has no GPU that its driver knows" };
  await step.change({ event: `it has ${gpu.name}` });
  return null;
}
