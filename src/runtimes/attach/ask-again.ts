import type { Failed } from "../bootstrap/machine.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { Lease } from "../lease.ts";

/**
 * What a machine answers; asked once more where the first time failed. Colab's command forgets a session for
 * one answer that was lost, and then nothing reaches the machine until a listing has renewed the access.
 */
export async function askAgain<T extends { readonly kind: "ok" }>(
  driver: Pick<ColabDriver, "refresh">,
  { name, endpoint }: Pick<Lease, "name" | "endpoint">,
  ask: () => Promise<T | Failed>,
): Promise<T | Failed> {
  const answer = await ask();
  if (answer.kind === "ok" || endpoint === null) return answer;
  // It was ended for a release, which nothing may come after.
  if (answer.fault.kind === "stopped") return answer;
  const access = await driver.refresh(name, endpoint);
  return access.kind === "fresh" ? ask() : answer;
}
