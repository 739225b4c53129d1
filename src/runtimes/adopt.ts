import { gpusByCost } from "../sizing/gpus.ts";
import type { RuntimeParts } from "./assemble.ts";
import { isBilling, type Lease } from "./lease.ts";
import { otherLeases } from "./leases/other-leases.ts";
import type { ListedSession } from "./listing.ts";
import { nameProblem } from "./policy/up.ts";
import type { RuntimesDependencies } from "./runtimes-dependencies.ts";
import { adoptionLease } from "./up/lease-of.ts";
import { leaseFacts, type LeaseMaking, publish } from "./up/start-up.ts";

export type Adopted =
  { readonly ok: true; readonly lease: Lease } | { readonly ok: false; readonly problem: string };

export type AdoptDependencies = LeaseMaking & Pick<RuntimesDependencies, "clock">;

export interface AdoptRequest {
  readonly endpoint: string;
  readonly name: string;
}

/**
 * Answers from now on for a machine that runs already: its deadlines count from now, and what it serves
 * is not known. It goes on as it is until one of them passes.
 */
export async function adoptMachine(
  dependencies: AdoptDependencies,
  parts: Pick<RuntimeParts, "leases" | "driver">,
  { endpoint, name }: AdoptRequest,
): Promise<Adopted & { readonly lock?: { release(): void } }> {
  const { leases, driver } = parts;
  const badName = nameProblem(name);
  if (badName !== null) return refused(badName);
  const owner = (await otherLeases(leases, ""))?.find(
    (lease) => lease.endpoint === endpoint && isBilling(lease.phase),
  );
  if (owner !== undefined)
    return refused(`\`${endpoint}\` is the runtime \`${owner.name}\` already`);
  const { listing, fault } = await driver.list();
  const found = listing.sessions.find((session) => session.endpoint === endpoint);
  if (found === undefined) {
    const why = fault === null ? "" : `: ${fault.message}`;
    return refused(
      `no machine \`${endpoint}\` is listed${why}; \`veriroute runtimes status --check\` lists those there are`,
    );
  }
  const taken = leases.lock(name);
  if (taken.kind === "held" || (await leases.read(name)) !== null) {
    if (taken.kind === "acquired") taken.lock.release();
    return refused(`there is a runtime \`${name}\` already; \`--name\` gives another name`);
  }
  const lease = adoptionLease(leaseFacts(dependencies, name), facts(dependencies, found));
  const made = await publish(parts, taken, async () => {
    // First: once the lease is on disk nothing may fail before somebody answers for it.
    await driver.adopt(name, endpoint);
    return { lease };
  });
  return { ok: true, lease: made.lease, lock: taken.lock };
}

function facts({ settings, clock }: AdoptDependencies, found: ListedSession) {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const gpu = gpusByCost(settings().rates, today).find(({ sku }) => sku === found.hardware);
  const rate = gpu?.rate ?? { cu_h: null, as_of: today, source: "no source names one" };
  const { endpoint, hardware, variant } = found;
  return { endpoint, hardware, variant, rate };
}

/** A name for a machine of which nothing but its endpoint is known. */
export function adoptedName(endpoint: string): string {
  const tail = endpoint
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "")
    .slice(-8);
  return `adopted-${tail}`;
}

function refused(problem: string): Adopted {
  return { ok: false, problem };
}
