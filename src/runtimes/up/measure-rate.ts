import type { Step } from "./step.ts";

/**
 * What Colab says an hour costs counts for more than any table. It says so for the account as a whole, so
 * only where this is its one machine; and it lags by minutes, which the server took to come.
 */
export async function measureRate({ driver, clock, lease, change }: Step): Promise<null> {
  const { rate, sessions_before } = lease();
  if (sessions_before.length > 0) return null;
  const usage = await driver.readUsage();
  if (usage.kind === "failed" || usage.assignment_count !== 1 || usage.rate_cu_h <= 0) return null;
  const cu_h = usage.rate_cu_h;
  const as_of = new Date(clock.now()).toISOString().slice(0, 10);
  const event = cu_h === rate.cu_h ? {} : { event: `Colab says ${cu_h} compute units an hour` };
  await change({ rate: { ...rate, cu_h, as_of, source: "`colab usage`" }, ...event });
  return null;
}
