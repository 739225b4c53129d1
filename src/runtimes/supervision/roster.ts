import type { Clock } from "../../lib/clock.ts";
import { isBilling, type Lease } from "../lease.ts";
import {
  advanceTime,
  type ClockReading,
  startTime,
  type SteadyTime,
} from "../policy/steady-time.ts";
import type { Supervised } from "../policy/tick.ts";
import { type Kept, newKept, supervisedView } from "./kept.ts";

/** The runtimes that this process answers for, and the time it goes by. */
export interface Roster {
  readonly all: () => readonly Kept[];
  readonly get: (name: string) => Kept | undefined;
  readonly add: (lease: Lease, lock: Kept["lock"], state: Pick<Kept, "pending">) => Kept;
  /** Gives its lock back: any process may answer for it now. */
  readonly drop: (kept: Kept) => void;
  /** The lease as it was when it was proven, here, to cost nothing any more, whatever its file says; null for any other. */
  readonly endOf: (lease: Lease) => Lease | null;
  /** As of the last tick. */
  readonly time: () => SteadyTime;
  readonly advance: () => SteadyTime;
  /** As of now. */
  readonly peek: () => SteadyTime;
  readonly view: (kept: Kept) => Supervised;
  /** Steady, and as of now. */
  readonly clock: Clock;
}

export interface RosterDependencies {
  readonly readClocks: () => ClockReading;
  readonly boot_id: string | null;
}

export function createRoster({ readClocks, boot_id }: RosterDependencies): Roster {
  const kept = new Map<string, Kept>();
  const over = new Map<string, Lease>();
  let time = startTime(readClocks());
  return {
    all: () => [...kept.values()],
    get: (name) => kept.get(name),
    add(lease, lock, { pending }) {
      const since_elapsed = readClocks().elapsed;
      const added = newKept(lease, lock, { since_elapsed, pending });
      kept.set(lease.name, added);
      return added;
    },
    endOf: ({ lease_id }) => over.get(lease_id) ?? null,
    drop(gone) {
      if (!isBilling(gone.lease.phase)) over.set(gone.lease.lease_id, gone.lease);
      gone.lock.release();
      kept.delete(gone.lease.name);
    },
    time: () => time,
    peek: () => advanceTime(time, readClocks()),
    advance: () => (time = advanceTime(time, readClocks())),
    view: (one) => supervisedView(one, boot_id, time.reading.elapsed),
    clock: {
      now: () => advanceTime(time, readClocks()).now,
      elapsed: () => readClocks().elapsed,
    },
  };
}
