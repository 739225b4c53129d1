import { takeFault } from "./faults.ts";
import type { FakeMachine, FakeState } from "./state.ts";
import { complained, failedRequest, traceback, UNREACHABLE } from "./texts.ts";
import { Ended, Interrupted, requireLogin, type World } from "./world.ts";

/** `GET /tun/m/assignments`. Throws `Ended` where the request fails. */
export function listMachines(world: World): FakeMachine[] {
  requireLogin(world);
  return world.server.transact((state, now) => {
    const fault = takeFault(state.faults, "sessions");
    const error = fault === undefined ? undefined : LISTING_ERRORS[fault];
    if (error !== undefined) throw new Ended(complained(traceback(error, world.env)));
    if (fault === "hang") throw new Interrupted("hang");
    if (state.faults.account !== undefined) return [];
    return structuredClone(state.machines.filter(({ visible_at }) => visible_at <= now));
  });
}

const ASSIGNMENTS = "/tun/m/assignments";

const LISTING_ERRORS: Readonly<Record<string, string>> = {
  "500": failedRequest("GET", ASSIGNMENTS, "Internal Server Error"),
  "401": failedRequest("GET", ASSIGNMENTS, "Unauthorized"),
  network: UNREACHABLE,
  badenum:
    "ValidationError: 1 validation error for ListedAssignments\nassignments.0.accelerator\n  Input should be 'NONE', 'G4', 'T4', 'L4', 'A100', 'H100', 'V5E1' or 'V6E1'",
};

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** `POST /tun/m/assign`: from here on it is on the bill. */
export function assign(state: FakeState, accelerator: string, now: number): FakeMachine {
  state.seq += 1;
  const id = idOf(state.seq);
  const machine: FakeMachine = {
    endpoint:
      accelerator === "NONE"
        ? `m-s-kkb-usc1b1-${id}`
        : `gpu-${accelerator.toLowerCase()}-s-kkb-usw1b1-${id}`,
    accelerator,
    variant: accelerator === "NONE" ? "DEFAULT" : "GPU",
    session: null,
    created_at: now,
    visible_at: now + (state.faults.list_lag_ms ?? 0),
    vanishes_at:
      state.faults.vanish_after_ms === undefined ? null : now + state.faults.vanish_after_ms,
    token: `fake-proxy-token-${state.seq}-1`,
    token_issued_at: now,
    ssh_pid: null,
    files: {},
    parts: {},
    watchdog: null,
    launch: null,
  };
  state.machines.push(machine);
  return machine;
}

/** Thirteen characters, like Google's, the same for the same number. */
function idOf(seq: number): string {
  let mixed = (seq * 2_654_435_761) >>> 0;
  let id = "";
  for (let at = 0; at < 13; at++) {
    id += LETTERS[mixed % 36] ?? "0";
    mixed = (Math.imul(mixed ^ (mixed >>> 15), 2_246_822_519) + at) >>> 0;
  }
  return id;
}

const TTL_S = 3600;

export function tokenLife(state: FakeState): number {
  return (state.faults.token_ttl_s ?? TTL_S) * 1000;
}

/** A listing comes with a fresh token for every machine; only the newest is taken. */
export function renewToken(state: FakeState, endpoint: string, now: number): string {
  const machine = state.machines.find((other) => other.endpoint === endpoint);
  if (machine === undefined) return "";
  const [, serial = "1"] = /-(\d+)$/.exec(machine.token) ?? [];
  machine.token = machine.token.replace(/-\d+$/, `-${Number(serial) + 1}`);
  machine.token_issued_at = now;
  return machine.token;
}

/** The machine behind a store's entry, if its token is still taken; `lost` is what Google's 401 means. */
export function reach(
  state: FakeState,
  { endpoint, token }: { readonly endpoint: string; readonly token: string },
  now: number,
): FakeMachine | "lost" {
  const machine = state.machines.find((other) => other.endpoint === endpoint);
  if (machine === undefined || machine.token !== token) return "lost";
  return now - machine.token_issued_at < tokenLife(state) ? machine : "lost";
}
