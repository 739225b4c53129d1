import type { Lease } from "../../src/runtimes/lease.ts";
import { type Leases, openLeases } from "../../src/runtimes/leases/open-leases.ts";
import type { ReleaseDependencies } from "../../src/runtimes/release-runtime.ts";
import { acquireServeLock } from "../../src/store/serve-lock.ts";
import { type ColabRig, colabRig } from "./colab-rig.ts";
import type { Faults } from "./fake-colab/faults.ts";
import { HOUR, MINUTE, someLease } from "./lease.ts";
import { tempDir } from "./temp-dir.ts";

export interface SupervisedRig extends Disposable {
  readonly rig: ColabRig;
  readonly leases: Leases;
  readonly directory: string;
  readonly dependencies: ReleaseDependencies;
  /** What was said at the level of an error. */
  readonly said: readonly string[];
  /** A lease of now, in the state it has before anything is asked of Colab. */
  readonly begin: (name: string, changes?: Partial<Lease>) => Promise<Lease>;
  /** The same, with its machine rented. */
  readonly rent: (name: string, changes?: Partial<Lease>) => Promise<Lease>;
}

/** Leases and the driver on the fake, on one clock that a pause moves. */
export function supervisedRig(faults: Faults = {}): SupervisedRig {
  const rig = colabRig(faults);
  const home = tempDir();
  const directory = home.file("runtimes");
  const leases = openLeases({ directory, clock: rig.clock, takeLock: acquireServeLock });
  const said: string[] = [];
  const begin = async (name: string, changes: Partial<Lease> = {}) => {
    const now = rig.clock.now();
    const { listing } = await rig.driver.list();
    const lease = someLease({
      name,
      session_name: name,
      phase: "starting",
      endpoint: null,
      base_url: null,
      created_at: now,
      phase_at: now,
      last_activity_at: now,
      idle_deadline: now + 45 * MINUTE,
      hard_deadline: now + 4 * HOUR,
      hard_remaining_ms_at: null,
      sessions_before: listing.sessions.map(({ endpoint }) => endpoint),
      ...changes,
    });
    await leases.create(lease);
    return lease;
  };
  return {
    rig,
    leases,
    directory,
    said,
    begin,
    async rent(name, changes) {
      await begin(name, changes);
      const report = await rig.driver.create({ name, sku: "T4" });
      if (report.kind === "failed") return leases.update(name, () => ({}));
      return leases.update(name, () => ({ endpoint: report.endpoint }));
    },
    dependencies: {
      leases,
      driver: rig.driver,
      clock: rig.clock,
      pause: async (ms) => rig.move(ms),
      closeTunnel: async () => undefined,
      log: { info: () => undefined, error: (_: unknown, text = "") => void said.push(text) },
    },
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}
