import type { Clock } from "../../lib/clock.ts";
import { createMachineCalls, type Machine } from "../bootstrap/machine.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { ColabFault } from "../colab/faults.ts";
import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import type { Pause } from "../pause.ts";
import type { RuntimeSettings } from "../policy/settings.ts";
import type { Supervisor } from "../supervisor.ts";

export interface StepDependencies {
  readonly driver: ColabDriver;
  readonly supervisor: Pick<Supervisor, "find" | "change" | "record" | "release" | "secondsLeft">;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly newId: () => string;
  readonly nextBeat: () => number;
  readonly settings: RuntimeSettings;
}

export interface StepRequest {
  readonly name: string;
  /** Whether a machine that cannot release itself will do. */
  readonly without_watchdog: boolean;
  /** Called once it is certain which machine is ours, or that none is. */
  readonly identified: () => void;
}

/** Why a step failed. */
export interface Problem {
  readonly message: string;
}

export interface Step extends StepDependencies {
  readonly request: StepRequest;
  readonly machine: Machine;
  /** As of now; throws `Ended` where somebody else ends the runtime. */
  readonly lease: () => Lease;
  readonly change: (change: LeaseChange) => Promise<void>;
}

/** Somebody else ends the runtime: nothing more is to be done with it. */
export class Ended extends Error {}

export function stepOf<D extends StepDependencies, R extends StepRequest>(
  dependencies: D,
  request: R,
): D & Step & { readonly request: R } {
  const { driver, supervisor, newId } = dependencies;
  const { name } = request;
  return {
    ...dependencies,
    request,
    machine: createMachineCalls({ driver, name, nonce: newId }),
    lease() {
      const lease = supervisor.find(name);
      if (lease === null) throw new Ended();
      return lease;
    },
    async change(change) {
      if ((await supervisor.change(name, change)) === null) throw new Ended();
    },
  };
}

type Insisting = Pick<Step, "driver" | "pause" | "lease">;
type Failed = { readonly kind: "failed"; readonly fault: ColabFault };

/** What was tried a few times: what it brought, or the last fault. */
export async function obtain<T extends { readonly kind: "ok" }>(
  { driver, pause, lease }: Insisting,
  act: () => Promise<T | Failed>,
): Promise<T | { readonly kind: "failed"; readonly problem: Problem }> {
  let problem: Problem = { message: "" };
  for (let tries = 0; tries < TRIES; tries++) {
    const { name, endpoint } = lease();
    // An access that expired is renewed by a listing, and nothing is run on a machine that is gone.
    if (tries > 0 && endpoint !== null) await driver.refresh(name, endpoint);
    const report = await act();
    if (report.kind === "ok") return report;
    problem = { message: faultText(report.fault) };
    lease();
    await pause(RETRY_MS);
  }
  return { kind: "failed", problem };
}

/** The same of what brings nothing; null once it worked. */
export async function insist(
  step: Insisting,
  act: () => Promise<{ readonly kind: "ok" } | Failed>,
): Promise<Problem | null> {
  const report = await obtain(step, act);
  return report.kind === "ok" ? null : report.problem;
}

const TRIES = 3;
const RETRY_MS = 5000;

export function faultText({ message, detail }: ColabFault): string {
  return detail === "" ? message : `${message} (${detail})`;
}
