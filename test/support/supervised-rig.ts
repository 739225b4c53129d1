import { join } from "node:path";

import { type BakedFiles, openBakedFiles } from "../../src/runtimes/bake/baked-files.ts";
import {
  type BakeRequest,
  type BakeStarted,
  startBake,
} from "../../src/runtimes/bake/start-bake.ts";
import { bakeKey } from "../../src/runtimes/bootstrap/bake-plan.ts";
import type { Lease } from "../../src/runtimes/lease.ts";
import { type LeaseLock, type Leases, openLeases } from "../../src/runtimes/leases/open-leases.ts";
import { runtimeSettings } from "../../src/runtimes/policy/settings.ts";
import type { ReleaseDependencies } from "../../src/runtimes/release-runtime.ts";
import type { Attachments } from "../../src/runtimes/supervision/attachments.ts";
import { createSupervisor, type Supervisor } from "../../src/runtimes/supervisor.ts";
import type { BringUpRequest } from "../../src/runtimes/up/bring-up-step.ts";
import { bringUp, type BringUpOutcome } from "../../src/runtimes/up/bring-up.ts";
import { claimName } from "../../src/runtimes/up/claim.ts";
import { rentInTurn } from "../../src/runtimes/up/rent-in-turn.ts";
import { configOf } from "../unit/config/load.ts";
import { type ColabRig, colabRig } from "./colab-rig.ts";
import type { FailingDisk } from "./failing-disk.ts";
import type { Faults } from "./fake-colab/faults.ts";
import { HOUR, MINUTE, someLease } from "./lease.ts";
import { sharedTime, standingFiles, standingLeases, whileAlive } from "./shared-time.ts";
import { tempDir } from "./temp-dir.ts";

/** One life of the router: its locks go when it is killed, its leases stay. */
export interface SupervisedProcess {
  readonly leases: Leases;
  readonly supervisor: Supervisor;
  readonly attachments: { -readonly [Name in keyof Attachments]: Attachments[Name] };
  /** Puts a lease on disk and answers for it, as `up` does before it asks Colab. */
  readonly begin: (name: string, changes?: Partial<Lease>) => Promise<Lease>;
  /** The same, and rents its machine. */
  readonly rent: (name: string, changes?: Partial<Lease>) => Promise<Lease>;
  /** Makes a machine that serves of a lease that is on disk. */
  readonly bringUp: (
    name: string,
    request?: Partial<Pick<BringUpRequest, "without_watchdog" | "hf_token">>,
  ) => Promise<BringUpOutcome>;
  /** Both, in its turn and with a claim, as `up` does. */
  readonly up: (name: string, changes?: Partial<Lease>) => Promise<UpStarted>;
  /** Prepares something for a GPU, as a process of its own does; `limit` is the one of its end. */
  readonly bake: (plan: BakeRequest["plan"], limit?: AbortSignal) => Promise<BakeStarted>;
  /** Ticks of 15 s for so long. */
  readonly pass: (ms: number) => Promise<void>;
  /** Frees every lock there is. */
  readonly kill: () => void;
  /** The same, and nothing that this process has begun goes on, but for what it is writing just then. */
  readonly die: () => Promise<void>;
}

export type UpStarted =
  | { readonly ok: true; readonly outcome: Promise<BringUpOutcome> }
  | { readonly ok: false; readonly problem: string };

export interface SupervisedRig extends Disposable {
  readonly rig: ColabRig;
  readonly directory: string;
  /** Where leases and stores are. */
  readonly disk: FailingDisk;
  /** What was prepared on machines without GPU. */
  readonly baked: BakedFiles;
  readonly dependencies: ReleaseDependencies & { readonly leases: Leases };
  /** What was logged as an error, and what a person was told. */
  readonly said: readonly string[];
  readonly told: readonly string[];
  readonly begin: SupervisedProcess["begin"];
  readonly rent: SupervisedProcess["rent"];
  readonly process: (config?: string) => SupervisedProcess;
  /** Takes one lock from whoever holds it. */
  readonly free: (name: string) => void;
}

/** What a process uses, or a test that stands for one. */
interface Own {
  readonly leases: Leases;
  readonly driver: ColabRig["driver"];
}

/** What the servers of rented machines ask for. */
export const SERVER_KEY = "sk-marker-server-key";

const LISTED = { hardware: "T4", variant: "GPU" };

async function rentFor({ leases, driver }: Own, name: string): Promise<Lease> {
  const report = await driver.create({ name, sku: "T4" });
  return leases.update(name, () =>
    report.kind === "failed" ? {} : { endpoint: report.endpoint, external: LISTED },
  );
}

/** Leases, the supervisor and the driver on the fake, on one clock that a pause moves. */
export function supervisedRig(faults: Faults = {}): SupervisedRig {
  const rig = colabRig(faults);
  const home = tempDir();
  const directory = home.file("runtimes");
  const time = sharedTime(rig);
  const baked = standingFiles(time, openBakedFiles(home.file("baked")));
  const { disk } = rig;
  const locks = new Map<string, number>();
  const [said, told]: [string[], string[]] = [[], []];
  const dependencies = {
    driver: rig.driver,
    clock: rig.clock,
    pause: async (ms: number) => rig.move(ms),
    closeTunnel: async () => undefined,
    log: {
      info: () => undefined,
      error: (_: unknown, text = "") => void said.push(text),
    },
  };
  let processes = 0;
  let beats = 0;

  function leasesOf(pid: number): Leases {
    const takeLock = (path: string): LeaseLock => {
      const holder = locks.get(path);
      if (holder !== undefined) return { kind: "held", holder: { pid: holder } };
      disk.check();
      locks.set(path, pid);
      return { kind: "acquired", lock: { release: () => void locks.delete(path) } };
    };
    const files = disk.leaseFiles;
    return standingLeases(time, openLeases({ directory, clock: rig.clock, takeLock, files }));
  }

  async function create({ leases, driver }: Own, name: string, changes: Partial<Lease>) {
    const now = rig.clock.now();
    const { listing } = await driver.list();
    const lease = someLease({
      name,
      lease_id: Bun.randomUUIDv7(),
      session_name: name,
      phase: "starting",
      endpoint: null,
      base_url: null,
      external: null,
      watchdog: null,
      created_at: now,
      phase_at: now,
      last_activity_at: now,
      idle_deadline: now + 45 * MINUTE,
      hard_deadline: now + 4 * HOUR,
      hard_remaining_ms_at: null,
      sessions_before: listing.sessions.map(({ endpoint }) => endpoint),
      account: listing.account ?? null,
      ...changes,
    });
    await leases.create(lease);
    return lease;
  }

  function start(config = "enabled = true"): SupervisedProcess {
    const pid = (processes += 1);
    let isDead = false;
    const leases = whileAlive(leasesOf(pid), () => !isDead);
    const driver = whileAlive(rig.newDriver(), () => !isDead);
    const own = { leases, driver };
    const notify = (text: string) => void (isDead || told.push(text));
    const attachments: SupervisedProcess["attachments"] = {
      open: async () => ({}),
      probe: async () => true,
      beat: async () => ({ kind: "alive", is_new: false }),
      close: async () => undefined,
      changed: () => undefined,
    };
    const settings = runtimeSettings(configOf(`[runtimes]\n${config}\n`));
    const readClocks = () => ({
      now: rig.clock.now(),
      elapsed: rig.clock.elapsed(),
      boottime: rig.clock.elapsed(),
    });
    const supervisor = createSupervisor({
      ...dependencies,
      driver,
      leases,
      attachments,
      boot_id: "boot-1",
      readClocks,
      settings: () => settings,
      notify,
    });
    const begin = async (name: string, changes: Partial<Lease> = {}) => {
      const taken = leases.lock(name);
      if (taken.kind === "held") throw new Error(`${name} is taken`);
      const lease = await create(own, name, changes);
      supervisor.watch(lease, taken.lock);
      return lease;
    };
    const bringUpOf = (name: string, request: Partial<Omit<BringUpRequest, "name" | "key">> = {}) =>
      bringUp(
        {
          driver,
          supervisor,
          baked,
          attachments: { open: (lease) => attachments.open(lease) },
          tunnelProblem: () => "nothing answers",
          clock: rig.clock,
          pause: dependencies.pause,
          newId: () => Bun.randomUUIDv7(),
          nextBeat: () => (beats += 1),
          settings,
        },
        {
          name,
          key: SERVER_KEY,
          hf_token: null,
          without_watchdog: false,
          identified: () => undefined,
          ...request,
        },
      );
    return {
      leases,
      supervisor,
      attachments,
      begin,
      async rent(name, changes = {}) {
        const taken = leases.lock(name);
        if (taken.kind === "held") throw new Error(`${name} is taken`);
        await create(own, name, { phase: "starting" });
        const rented = await rentFor(own, name);
        const lease = await leases.update(name, () => ({
          ...changes,
          endpoint: rented.endpoint,
          external: LISTED,
        }));
        supervisor.watch(lease, taken.lock);
        return lease;
      },
      up: (name, changes = {}) =>
        rentInTurn({ leases }, async (identified): Promise<UpStarted> => {
          const claimed = await claimName({ leases, driver }, name);
          if (!claimed.ok) return claimed;
          const { lock, sessions } = claimed.claim;
          const sessions_before = sessions.map(({ endpoint }) => endpoint);
          supervisor.watch(await create(own, name, { ...changes, sessions_before }), lock);
          return { ok: true, outcome: bringUpOf(name, { identified }) };
        }),
      bringUp: bringUpOf,
      bake: (plan, limit = new AbortController().signal) =>
        startBake(
          {
            ...dependencies,
            driver,
            leases,
            baked,
            pause: time.pauseUntil(limit),
            settings: () => settings,
            readClocks,
            newId: () => Bun.randomUUIDv7(),
            version: "0.0.0",
            process: { pid, host: "home", boot_id: "boot-1" },
            notify,
          },
          { name: `bake-${bakeKey(plan)}`, plan },
        ),
      async pass(ms) {
        const end = rig.clock.now() + ms;
        while (rig.clock.now() < end) {
          rig.move(15_000);
          await supervisor.tick();
          await supervisor.settled();
        }
      },
      kill: () => locks.clear(),
      async die() {
        isDead = true;
        await time.filesAreStill();
        locks.clear();
      },
    };
  }

  const leases = leasesOf(0);
  const own = { leases, driver: rig.driver };
  return {
    rig,
    directory,
    disk,
    baked,
    said,
    told,
    process: start,
    free: (name) => void locks.delete(join(directory, `${name}.lock`)),
    begin: (name, changes = {}) => create(own, name, changes),
    async rent(name, changes = {}) {
      await create(own, name, changes);
      return rentFor(own, name);
    },
    dependencies: { ...dependencies, leases },
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}
