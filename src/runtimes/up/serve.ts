import { serverPlan } from "../bootstrap/server-plan.ts";
import { insist, type Problem, type Step } from "./step.ts";

const POLL_MS = 10_000;
/** Of the log that says why a server did not come. */
const TAIL_LINES = 5;

/** Starts the server and waits until it says that it answers. */
export async function launch(step: Step): Promise<Problem | null> {
  const { machine, settings, newId, lease } = step;
  const { spec, plan, served_model } = lease();
  if (spec === null || plan === null || served_model === null) {
    return { message: "its lease does not say what to serve" };
  }
  const id = newId();
  const ready_limit_ms = settings.ready_timeout_ms;
  // A Drive wants a person's consent for every machine, so nothing is cached beyond this one.
  const server = serverPlan({ spec, plan, served_model, ready_limit_ms, cache_directory: null });
  const problem = await insist(step, () => machine.launch(id, server));
  return problem ?? (await untilReady(step, id));
}

async function untilReady(step: Step, id: string): Promise<Problem | null> {
  const { machine, driver, clock, pause, settings, lease, change } = step;
  const until = clock.elapsed() + settings.ready_timeout_ms;
  let told = "";
  while (clock.elapsed() < until) {
    await pause(POLL_MS);
    const { name, endpoint } = lease();
    const report = await machine.poll(id);
    if (report.kind === "ready") return null;
    if (report.kind === "dead") {
      const tail = report.tail.filter((line) => line.trim() !== "").slice(-TAIL_LINES);
      return { message: [`the server did not come: ${report.detail}`, ...tail].join("\n") };
    }
    if (report.kind === "failed" && endpoint !== null) await driver.refresh(name, endpoint);
    if (report.kind === "pending" && report.phase !== told) {
      told = report.phase;
      await change({ event: told });
    }
  }
  const minutes = Math.round(settings.ready_timeout_ms / 60_000);
  return {
    message: `its server did not answer within ${minutes} min; raise \`runtimes.ready_timeout\`, or take a smaller model`,
  };
}
