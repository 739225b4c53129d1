import { isSku, NO_GPU } from "../lease.ts";
import { faultText, type Problem, type Step } from "./step.ts";

/** Between two listings that may show a new machine. */
const LOOK_MS = 5000;

/** Asks Colab, once. What it answers is in the lease even where that is being released meanwhile. */
export async function rent({ driver, supervisor, lease }: Step): Promise<Problem | null> {
  const asking = lease();
  const { name, sku } = asking;
  const gpu = sku === NO_GPU ? null : sku;
  if (gpu !== null && !isSku(gpu)) {
    await supervisor.record(asking, { was_refused: true });
    return { message: `\`${gpu}\` is no GPU that Colab rents` };
  }
  const report = await driver.create({ name, sku: gpu });
  if (report.kind === "failed") {
    if (!report.may_be_billing) await supervisor.record(asking, { was_refused: true });
    return { message: faultText(report.fault) };
  }
  const { endpoint } = report;
  await supervisor.record(asking, { endpoint, event: `Colab gave ${endpoint}` });
  return null;
}

/** Nothing is connected to before a listing shows the machine, and shows it to be what was asked for. */
export async function identify(step: Step): Promise<Problem | null> {
  const { driver, clock, pause, settings, request, lease, change } = step;
  const until = clock.elapsed() + settings.assign_timeout_ms;
  for (;;) {
    const { endpoint, sku } = lease();
    const { listing } = await driver.list();
    const found = listing.sessions.find((session) => session.endpoint === endpoint);
    if (found !== undefined) {
      const { hardware, variant } = found;
      await change({ external: { hardware, variant } });
      request.identified();
      if (hardware === sku) return null;
      return { message: `Colab gave a machine with ${hardware} in place of ${sku}` };
    }
    if (clock.elapsed() >= until) {
      const seconds = Math.round(settings.assign_timeout_ms / 1000);
      return { message: `its machine was not listed within ${seconds} s` };
    }
    await pause(LOOK_MS);
  }
}
