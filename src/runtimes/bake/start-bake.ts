import type { AdoptDependencies } from "../adopt.ts";
import { createBeats, sendBeat } from "../attach/send-beat.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { Lease } from "../lease.ts";
import type { Leases } from "../leases/open-leases.ts";
import type { Pause } from "../pause.ts";
import { createSupervisor, type Supervisor, type SupervisorDependencies } from "../supervisor.ts";
import { type Claim, claimName } from "../up/claim.ts";
import { guard } from "../up/guard.ts";
import { bakeLease, rateWithoutGpu } from "../up/lease-of.ts";
import { rentInTurn } from "../up/rent-in-turn.ts";
import { identify, rent } from "../up/rent.ts";
import { leaseFacts, publish } from "../up/start-up.ts";
import { stepOf } from "../up/step.ts";
import { type StepsOutcome, takeSteps } from "../up/take-steps.ts";
import type { BakeStepRequest } from "./bake-step.ts";
import type { BakedFiles } from "./baked-files.ts";
import { prepare } from "./prepare.ts";

export interface BakeDependencies
  extends AdoptDependencies, Pick<SupervisorDependencies, "log" | "notify"> {
  readonly leases: Leases;
  readonly driver: ColabDriver;
  readonly baked: BakedFiles;
  readonly pause: Pause;
}

export type BakeRequest = Pick<BakeStepRequest, "name" | "plan">;

export type BakeStarted =
  | {
      readonly ok: true;
      readonly lease: Lease;
      /** Settles once it is here or has failed, and its machine was asked to go. Never rejects. */
      readonly outcome: Promise<StepsOutcome>;
      /** The notice of its machine while that may cost money; null once it does not. */
      readonly billing: () => Lease | null;
      /** Has its machine released, whatever it is at. */
      readonly stop: () => Promise<void>;
      /** Goes on with the release until it is proven, or until the limit; the notices of what is left. */
      readonly close: (limit: AbortSignal) => Promise<readonly string[]>;
    }
  /** Nothing was rented. */
  | { readonly ok: false; readonly problem: string };

const STEPS = [rent, identify, guard, prepare] as const;

/**
 * Rents a machine without GPU, has it prepare what starts would do on one with a GPU, brings that here and
 * gives the machine back. This process keeps its deadlines; whoever comes after it finds its lease.
 */
export function startBake(
  dependencies: BakeDependencies,
  request: BakeRequest,
): Promise<BakeStarted> {
  return rentInTurn(dependencies, async (release): Promise<BakeStarted> => {
    const claimed = await claimName(dependencies, request.name);
    if (!claimed.ok) return claimed;
    const lease = await putOnDisk(dependencies, request, claimed.claim);
    const nextBeat = createBeats(dependencies.clock);
    const supervisor = supervisorOf({ ...dependencies, nextBeat }, request.name);
    supervisor.watch(lease, claimed.claim.lock);
    return { ok: true, lease, ...run({ ...dependencies, nextBeat, supervisor }, request, release) };
  });
}

async function putOnDisk(
  dependencies: BakeDependencies,
  { name }: BakeRequest,
  claim: Claim,
): Promise<Lease> {
  const { driver, settings, clock } = dependencies;
  const as_of = new Date(clock.now()).toISOString().slice(0, 10);
  const rate = rateWithoutGpu(settings().cpu_rate, as_of);
  const made = await publish(dependencies, claim, async () => {
    // What a machine of that name has left behind is of no more use.
    await driver.forget(name);
    const sessions_before = claim.sessions.map(({ endpoint }) => endpoint);
    return {
      lease: bakeLease(leaseFacts(dependencies, name), {
        rate,
        sessions_before,
        account: claim.account,
      }),
    };
  });
  return made.lease;
}

type Beating = BakeDependencies & { readonly nextBeat: () => number };

/** Answers for this one machine only: those of others are not to end with this process. */
function supervisorOf(dependencies: Beating, own: string): Supervisor {
  const { leases, driver, newId, nextBeat } = dependencies;
  const supervisor: Supervisor = createSupervisor({
    ...dependencies,
    boot_id: dependencies.process.boot_id,
    leases: {
      ...leases,
      lock: (name) =>
        name === own ? leases.lock(name) : { kind: "held", holder: dependencies.process },
    },
    attachments: {
      open: async () => null,
      probe: async () => false,
      beat: (lease) =>
        sendBeat({ driver, newId, nextBeat, secondsLeft: supervisor.secondsLeft }, lease),
      close: async () => undefined,
      changed: () => undefined,
    },
  });
  return supervisor;
}

type Running = Beating & { readonly supervisor: Supervisor };

function run(
  dependencies: Running,
  { name, plan }: BakeRequest,
  identified: () => void,
): Omit<Extract<BakeStarted, { ok: true }>, "ok" | "lease"> {
  const { supervisor } = dependencies;
  const ticking = new AbortController();
  void supervisor.run(ticking.signal);
  // What prepares is at work, so that no idle deadline ends it; the hard one does.
  supervisor.noteActivity(name, "start");
  const step = stepOf(
    { ...dependencies, settings: dependencies.settings() },
    { name, plan, without_watchdog: false, identified },
  );
  const work = async (): Promise<StepsOutcome> => {
    const outcome = await takeSteps(step, STEPS, []);
    if (outcome.kind !== "done") return outcome;
    await supervisor.release(name, { why: "it has prepared what it was to", is_done: true });
    return outcome;
  };
  return {
    outcome: work(),
    billing: () => supervisor.leases().at(0) ?? null,
    async stop() {
      await supervisor.release(name, { why: "somebody asked for it" });
    },
    async close(limit) {
      const notices = await supervisor.close(limit);
      ticking.abort();
      return notices;
    },
  };
}
