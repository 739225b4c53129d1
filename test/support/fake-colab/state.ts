/** What the stand-in for Google knows: the truth that no store and no listing shows whole. */
import type { Faults } from "./faults.ts";

export interface FakeWatchdog {
  ttl_ms: number;
  beat: number;
  beat_at: number;
  deadline_at: number;
}

export interface FakeLaunch {
  nonce: string;
  kind: "serve" | "bake";
  /** Whether every part of what was prepared elsewhere had come when it began. */
  is_baked: boolean;
  /** Of the served model, from the plan. */
  served_model: string;
  ready_at: number;
  /** What the launcher says instead of becoming ready; null if it becomes ready. */
  failure: string | null;
}

export interface FakeMachine {
  endpoint: string;
  accelerator: string;
  variant: "DEFAULT" | "GPU";
  /** What whoever asked for it calls it, which Google does not know; null for a notebook in a browser. */
  session: string | null;
  created_at: number;
  /** When a listing shows it; it is on the bill from `created_at`. */
  visible_at: number;
  /** When it goes by itself; null for never. */
  vanishes_at: number | null;
  token: string;
  token_issued_at: number;
  /** Of the ssh connection that is open; null without one. */
  ssh_pid: number | null;
  /** Names of the files that were put there, with the length of their content. */
  files: Record<string, number>;
  /** What was prepared, in Base64, by path. */
  parts: Record<string, string>;
  watchdog: FakeWatchdog | null;
  launch: FakeLaunch | null;
}

export interface FakeRelease {
  endpoint: string;
  by: "stop" | "watchdog" | "vanished";
  at: number;
  /** What whoever asked for it called it, and what whoever stopped it does. */
  session: string | null;
  stopped_as: string | null;
}

/** Where machines live. */
export interface Place {
  /** Holds a directory for each, by its endpoint. */
  readonly directory: string;
  readonly python: string;
  /** Process without which machines end. */
  readonly owner: number;
  /** Stands for 8000 of the machine's loopback: one of them serves at a time. */
  readonly port: number;
  /** Where a machine is told that it releases itself, before its endpoint. */
  readonly desk: string;
}

export interface FakeState {
  seq: number;
  balance_cu: number;
  machines: FakeMachine[];
  releases: FakeRelease[];
  faults: Faults;
  /** Port on this machine that stands for the server's on the rented one; null without one. */
  vm_port: number | null;
  /** Config of a real sshd that stands for the machine's; null for the fake ssh's own way. */
  sshd_config: string | null;
  /** Where machines run for real; null where they are figures. */
  place: Place | null;
  /** Where the real clock counts from, so that a test can move the fake's. */
  clock_offset_ms: number;
}

export function initialState(): FakeState {
  return {
    seq: 0,
    balance_cu: 100,
    machines: [],
    releases: [],
    faults: {},
    vm_port: null,
    sshd_config: null,
    place: null,
    clock_offset_ms: 0,
  };
}

/** Lets time do what it does: watchdogs release, machines vanish. */
export function advance(state: FakeState, now: number): void {
  state.machines = state.machines.filter((machine) => {
    const end = endOf(machine, now);
    const { endpoint, session } = machine;
    if (end !== null) state.releases.push({ endpoint, session, stopped_as: null, ...end });
    return end === null;
  });
}

function endOf(machine: FakeMachine, now: number): Pick<FakeRelease, "by" | "at"> | null {
  const { vanishes_at, watchdog } = machine;
  if (vanishes_at !== null && vanishes_at <= now) return { by: "vanished", at: vanishes_at };
  if (watchdog === null) return null;
  const due_at = Math.min(watchdog.deadline_at, watchdog.beat_at + watchdog.ttl_ms);
  return due_at <= now ? { by: "watchdog", at: due_at } : null;
}

export function release(
  state: FakeState,
  { endpoint, name }: { readonly endpoint: string; readonly name: string },
  at: number,
): boolean {
  const gone = state.machines.find((machine) => machine.endpoint === endpoint);
  if (gone === undefined) return false;
  state.machines = state.machines.filter((machine) => machine !== gone);
  state.releases.push({ endpoint, by: "stop", at, session: gone.session, stopped_as: name });
  return true;
}

/** Compute units an hour, as `usage` reports them. */
const RATES: Readonly<Record<string, number>> = {
  NONE: 0.08,
  T4: 1.19,
  L4: 1.71,
  A100: 5.4,
  G4: 8.71,
  H100: 11,
};

export function rateOf(machines: readonly FakeMachine[]): number {
  return machines.reduce((sum, { accelerator }) => sum + (RATES[accelerator] ?? 0), 0);
}
