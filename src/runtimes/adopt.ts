import { gpusByCost } from "../sizing/gpus.ts";
import type { RuntimeParts } from "./assemble.ts";
import { isBilling, isSku, type Lease, NO_GPU } from "./lease.ts";
import { knownLeases } from "./leases/other-leases.ts";
import type { ListedSession, Listing } from "./listing.ts";
import type { RuntimeSettings } from "./policy/settings.ts";
import { nameProblem } from "./policy/up.ts";
import type { RuntimesDependencies } from "./runtimes-dependencies.ts";
import { adoptionLease, type Found, rateWithoutGpu } from "./up/lease-of.ts";
import { rentInTurn } from "./up/rent-in-turn.ts";
import { leaseFacts, type LeaseMaking, publish } from "./up/start-up.ts";

export type Adopted =
  { readonly ok: true; readonly lease: Lease } | { readonly ok: false; readonly problem: string };

export type AdoptDependencies = LeaseMaking & Pick<RuntimesDependencies, "clock">;

export interface AdoptRequest {
  readonly endpoint: string;
  readonly name: string;
}

type AdoptedInTurn = Adopted & { readonly lock?: { release(): void } };

type AdoptParts = Pick<RuntimeParts, "leases" | "driver">;

/**
 * Answers from now on for a machine that runs already: its deadlines count from now, and what it serves
 * is not known. It goes on as it is until one of them passes. Not while one is being rented: it may be that.
 */
export function adoptMachine(
  dependencies: AdoptDependencies,
  parts: AdoptParts,
  request: AdoptRequest,
): Promise<AdoptedInTurn> {
  return rentInTurn(parts, async (release) => {
    const adopted = await adoptNow(dependencies, parts, request);
    release();
    return adopted;
  });
}

async function adoptNow(
  dependencies: AdoptDependencies,
  parts: AdoptParts,
  { endpoint, name }: AdoptRequest,
): Promise<AdoptedInTurn> {
  const { leases, driver } = parts;
  const badName = nameProblem(name);
  if (badName !== null) return refused(badName);
  // One that cannot be read says nothing of its machine, and hides none of the others.
  const { known } = await knownLeases(leases);
  const owner = known.find((lease) => lease.endpoint === endpoint && isBilling(lease.phase));
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
  const lease = adoptionLease(leaseFacts(dependencies, name), facts(dependencies, found, listing));
  const made = await publish(parts, taken, async () => {
    // First: once the lease is on disk nothing may fail before somebody answers for it.
    await driver.adopt(name, endpoint);
    return { lease };
  });
  return { ok: true, lease: made.lease, lock: taken.lock };
}

function facts(
  { settings, clock }: AdoptDependencies,
  found: ListedSession,
  { account }: Listing,
): Found {
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const { endpoint, hardware, variant } = found;
  const rate = rateOf(hardware, settings(), today);
  const isUnkept = rate.cu_h === null && settings().max_compute_units !== null;
  const note = isUnkept ? unkept(hardware) : null;
  return { endpoint, hardware, variant, account: account ?? null, rate, note };
}

function rateOf(hardware: string, settings: RuntimeSettings, today: string): Lease["rate"] {
  const gpu = gpusByCost(settings.rates, today).find(({ sku }) => sku === hardware);
  return gpu?.rate ?? rateWithoutGpu(hardware === NO_GPU ? settings.cpu_rate : null, today);
}

/** Others are refused for want of a rate; this one costs money whether or not somebody answers for it. */
function unkept(hardware: string): string {
  const isNamed = isSku(hardware) || hardware === NO_GPU;
  const fix = isNamed
    ? `; \`runtimes.rates.${hardware}\`, set before a machine is taken over, has it kept`
    : "";
  return `nobody knows what a ${hardware} costs, so \`runtimes.max_compute_units\` does not end it, only its deadlines do${fix}`;
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
