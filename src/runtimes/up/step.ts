import type { Clock } from "../../lib/clock.ts";
import { createMachineCalls, type Machine } from "../bootstrap/machine.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { ColabFault } from "../colab/faults.ts";
import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import type { Pause } from "../pause.ts";
import type { RuntimeSettings } from "../policy/settings.ts";
import type { Attachments } from "../supervision/attachments.ts";
import type { Supervisor } from "../supervisor.ts";

export interface BringUpDependencies {
  readonly driver: ColabDriver;
  readonly supervisor: Pick<Supervisor, "find" | "change" | "release" | "secondsLeft">;
  readonly attachments: Pick<Attachments, "open">;
  /** Why the last attempt to open a tunnel failed. */
  readonly tunnelProblem: (name: string) => string | null;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly newId: () => string;
  readonly nextBeat: () => number;
  readonly settings: RuntimeSettings;
}

export interface BringUpRequest {
  readonly name: string;
  /** Whether a machine that cannot release itself will do. */
  readonly without_watchdog: boolean;
  /** The key that its server is to ask for. */
  readonly key: string;
  /** For gated models; null without one. */
  readonly hf_token: string | null;
  /** Called once it is certain which machine is ours, or that none is. */
  readonly identified: () => void;
}

/** Why a step failed. */
export interface Problem {
  readonly message: string;
  /** Colab said in so many words that it gave no machine. */
  readonly was_refused?: boolean;
}

export interface Step extends BringUpDependencies {
  readonly request: BringUpRequest;
  readonly machine: Machine;
  /** As of now; throws `Ended` where somebody else ends the runtime. */
  readonly lease: () => Lease;
  readonly change: (change: LeaseChange) => Promise<void>;
}

/** Somebody else ends the runtime: nothing more is to be done with it. */
export class Ended extends Error {}

export function stepOf(dependencies: BringUpDependencies, request: BringUpRequest): Step {
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

/** What was tried a few times; the last fault, or null once it worked. */
export async function insist(
  { driver, pause, lease }: Step,
  act: () => Promise<
    { readonly kind: "failed"; readonly fault: ColabFault } | { readonly kind: "ok" }
  >,
): Promise<Problem | null> {
  let problem: Problem | null = null;
  for (let tries = 0; tries < TRIES; tries++) {
    const { name, endpoint } = lease();
    // An access that expired is renewed by a listing, and nothing is run on a machine that is gone.
    if (tries > 0 && endpoint !== null) await driver.refresh(name, endpoint);
    const report = await act();
    if (report.kind === "ok") return null;
    problem = { message: faultText(report.fault) };
    lease();
    await pause(RETRY_MS);
  }
  return problem;
}

const TRIES = 3;
const RETRY_MS = 5000;

export function faultText({ message, detail }: ColabFault): string {
  return detail === "" ? message : `${message} (${detail})`;
}
