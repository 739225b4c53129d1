import type { RuntimeParts } from "../assemble.ts";
import { makeServerKey } from "../attach/server-key.ts";
import { openBakedFiles } from "../bake/baked-files.ts";
import { CLOSED } from "../gate.ts";
import type { Lease } from "../lease.ts";
import { bakedDirectory } from "../places.ts";
import { advanceTime, startTime, type SteadyTime } from "../policy/steady-time.ts";
import type { RuntimesDependencies } from "../runtimes-dependencies.ts";
import { bringUp, type BringUpOutcome } from "./bring-up.ts";
import { type Claim, claimName } from "./claim.ts";
import type { Judged } from "./judge-wish.ts";
import { type LeaseFacts, type NewLease, rentalLease } from "./lease-of.ts";
import { rentInTurn } from "./rent-in-turn.ts";
import type { UpWish } from "./wish.ts";

export type Started =
  | {
      readonly ok: true;
      readonly lease: Lease;
      /** Settles once it is ready or has come to its end. */
      readonly outcome: Promise<BringUpOutcome>;
    }
  | { readonly ok: false; readonly problem: string };

export interface StartRequest {
  readonly wish: UpWish & { readonly name: string };
  readonly judged: Extract<Judged, { ok: true }>;
  readonly hf_token: string | null;
}

/** Puts the lease on disk, has it supervised, and only then asks Colab. */
export function startUp(
  dependencies: RuntimesDependencies,
  parts: RuntimeParts,
  request: StartRequest,
): Promise<Started> {
  return rentInTurn(parts, (release) => startRenting(dependencies, parts, { ...request, release }));
}

type Renting = StartRequest & { readonly release: () => void };

async function startRenting(
  dependencies: RuntimesDependencies,
  parts: RuntimeParts,
  { wish, judged, hf_token, release }: Renting,
): Promise<Started> {
  const { name } = wish;
  const claimed = await claimName(parts, name);
  if (!claimed.ok) return claimed;
  const { claim } = claimed;
  const about = leaseFacts(dependencies, name);
  const sessions_before = claim.sessions.map(({ endpoint }) => endpoint);
  const rented = { ...judged, sessions_before, account: claim.account };
  const publishing = async () => {
    const made = await publish(parts, claim, async () => {
      // What a runtime of that name has left behind is of no more use.
      await parts.driver.forget(name);
      const key = makeServerKey(parts.driver.directory(name), dependencies.randomBytes);
      return { key, lease: rentalLease(about, rented) };
    });
    parts.supervisor.watch(made.lease, claim.lock);
    return made;
  };
  const made = await parts.gate.pass(publishing);
  if (made === null) {
    claim.lock.release();
    return refused(CLOSED);
  }
  const { lease, key } = made;
  const settings = dependencies.settings();
  const baked = openBakedFiles(bakedDirectory(dependencies.state_dir));
  const { without_watchdog } = wish;
  const outcome = bringUp(
    { ...dependencies, ...parts, settings, baked, tunnelProblem: parts.tunnels.problemOf },
    { name, key, hf_token, without_watchdog, identified: release },
  );
  return { ok: true, lease, outcome };
}

export type LeaseMaking = Pick<
  RuntimesDependencies,
  "process" | "version" | "newId" | "settings" | "readClocks"
>;

/** What a lease says of who made it, and when. */
export function leaseFacts(dependencies: LeaseMaking, name: string): LeaseFacts {
  const { process: own, version, newId, settings } = dependencies;
  const time = steadyNow(dependencies);
  const started_at = Math.round(time.now);
  const owner = { pid: own.pid, boot_id: own.boot_id, started_at, host: own.host, version };
  return { name, owner, lease_id: newId(), time, settings: settings() };
}

function steadyNow({ readClocks }: LeaseMaking): SteadyTime {
  const reading = readClocks();
  return advanceTime(startTime(reading), reading);
}

/** The lease, on disk for good; gives the lock back and throws where that cannot be. */
export async function publish<T extends { readonly lease: NewLease }>(
  { leases }: Pick<RuntimeParts, "leases">,
  { lock }: Pick<Claim, "lock">,
  make: () => Promise<T>,
): Promise<Omit<T, "lease"> & { readonly lease: Lease }> {
  try {
    const made = await make();
    const { name } = made.lease;
    if (!(await leases.create(made.lease))) throw new Error(`there is a lease \`${name}\` already`);
    const file = await leases.read(name);
    if (file?.kind === "lease") return { ...made, lease: file.lease };
    throw new Error(`the lease of \`${name}\` cannot be read back`);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function refused(problem: string): Started {
  return { ok: false, problem };
}
