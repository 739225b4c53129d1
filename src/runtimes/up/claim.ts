import type { ColabDriver } from "../colab/driver.ts";
import type { Account } from "../lease.ts";
import type { LeaseLock, Leases } from "../leases/open-leases.ts";
import { knownLeases } from "../leases/other-leases.ts";
import type { ListedSession } from "../listing.ts";
import { isUnidentified } from "../policy/orphans.ts";

export interface ClaimDependencies {
  readonly leases: Leases;
  readonly driver: Pick<ColabDriver, "list">;
}

/** A name that is ours, and what the account had before. */
export interface Claim {
  readonly lock: Extract<LeaseLock, { kind: "acquired" }>["lock"];
  readonly sessions: readonly ListedSession[];
  readonly account: Account;
}

export type Claimed =
  { readonly ok: true; readonly claim: Claim } | { readonly ok: false; readonly problem: string };

/**
 * Takes a name and looks what the account has; gives the name back where that cannot be told, or where a machine
 * may still come of which nobody would know whose it is.
 */
export async function claimName(
  { leases, driver }: ClaimDependencies,
  name: string,
): Promise<Claimed> {
  const taken = leases.lock(name);
  if (taken.kind === "held") return refused(busy(name));
  const { lock } = taken;
  try {
    const problem = await problemOf({ leases, driver }, name);
    if (typeof problem !== "string") return { ok: true, claim: { lock, ...problem } };
    lock.release();
    return refused(problem);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function problemOf(
  { leases, driver }: ClaimDependencies,
  name: string,
): Promise<string | Pick<Claim, "sessions" | "account">> {
  if ((await leases.read(name)) !== null) return busy(name);
  const { known } = await knownLeases(leases);
  const unknown = known.find(isUnidentified);
  if (unknown !== undefined) return unsettled(unknown.name);
  const { listing, fault } = await driver.list();
  const { sessions, account } = listing;
  if (listing.kind === "clean" && account !== undefined) return { sessions, account };
  if (listing.kind === "clean") {
    return "nothing is rented while it cannot be told which account that would be on: `colab whoami` says nobody";
  }
  const why = fault === null ? listing.reason : fault.message;
  return `nothing is rented while it cannot be told what the account has: ${why}`;
}

function busy(name: string): string {
  return `there is a runtime \`${name}\` already; \`veriroute runtimes status\` shows it, \`--name\` gives another name`;
}

function unsettled(name: string): string {
  return `nobody knows yet which machine \`${name}\` was given, or whether it was, and the next one could be taken for it; wait until \`veriroute runtimes status\` lists it no more, or take over the one that it is: \`veriroute runtimes status --check\` names them`;
}

function refused(problem: string): Claimed {
  return { ok: false, problem };
}
