import { isSku, NO_GPU } from "../lease.ts";
import { faultText, type Problem, type Step } from "./step.ts";

/** Between two listings that may show a new machine. */
const LOOK_MS = 5000;

/** Asks Colab, once. */
export async function rent({ driver, lease, change }: Step): Promise<Problem | null> {
  const { name, sku } = lease();
  const gpu = sku === NO_GPU ? null : sku;
  if (gpu !== null && !isSku(gpu)) {
    return { message: `\`${gpu}\` is no GPU that Colab rents`, was_refused: true };
  }
  const report = await driver.create({ name, sku: gpu });
  if (report.kind === "failed") {
    return { message: faultText(report.fault), was_refused: !report.may_be_billing };
  }
  await change({ endpoint: report.endpoint, event: `Colab gave ${report.endpoint}` });
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
