import type { Clock } from "../../lib/clock.ts";
import type { Fetch } from "../../upstream/fetch.ts";
import { SERVER_PORT } from "../bootstrap/server-plan.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { RunCommand } from "../command.ts";
import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import type { Pause } from "../pause.ts";
import { endLeftoverSsh } from "../tunnel/leftover.ts";
import type { Tunnel, TunnelRequest } from "../tunnel/open-tunnel.ts";
import { probeThroughTunnel } from "../tunnel/probe.ts";
import { readServerKey } from "./server-key.ts";

export interface HeldTunnelsDependencies {
  readonly driver: Pick<ColabDriver, "directory">;
  readonly run: RunCommand;
  readonly openTunnel: (request: TunnelRequest) => Tunnel;
  readonly freePort: () => number;
  readonly fetch: Fetch;
  readonly clock: Pick<Clock, "elapsed">;
  readonly pause: Pause;
  /** Where programs are looked for. */
  readonly path: string;
  /** What its lease is to say: another ssh, or another place. */
  readonly moved: (name: string, change: LeaseChange) => void;
}

/** Where the server of a runtime is reached on this machine, and the key that it asks for. */
export interface TunnelPlace {
  readonly local_port: number;
  readonly key: string | null;
}

export interface HeldTunnels {
  /** Once the server answers through it; null if it does not in time. */
  readonly open: (lease: Lease) => Promise<(TunnelPlace & { readonly pid: number | null }) | null>;
  /** Whether the server answers; null where there is no tunnel that could still come back. */
  readonly answers: (lease: Lease) => Promise<boolean | null>;
  readonly placeOf: (name: string) => TunnelPlace | null;
  /** Why the last attempt to open failed; null if it did not. */
  readonly problemOf: (name: string) => string | null;
  readonly close: (name: string) => Promise<void>;
}

const PROBE_MS = 10_000;
/** An ssh connection takes up to a minute, and an old one may linger on the other side. */
const OPEN_MS = 120_000;
const LOOK_MS = 2000;
const PORTS_TO_TRY = 3;
/** A tunnel that does not end holds up no release. */
const CLOSE_MS = 10_000;

interface Held extends TunnelPlace {
  readonly tunnel: Tunnel;
  isClosed: boolean;
}

/** The tunnels of this process, one a runtime at most. */
export function createHeldTunnels(dependencies: HeldTunnelsDependencies): HeldTunnels {
  const held = new Map<string, Held>();
  const problems = new Map<string, string>();

  async function close(name: string): Promise<void> {
    const one = held.get(name);
    held.delete(name);
    if (one !== undefined) await closeHeld(one, dependencies.pause);
  }

  async function hold(lease: Lease, endpoint: string, port: number): Promise<Held> {
    const { name } = lease;
    const one = held.get(name);
    if (one !== undefined && !hasFailed(one)) {
      one.tunnel.retryNow();
      return one;
    }
    await close(name);
    const begun = await begin(dependencies, lease, { endpoint, port });
    held.set(name, begun);
    void follow(dependencies, name, begun);
    return begun;
  }

  return {
    placeOf: (name) => held.get(name) ?? null,
    problemOf: (name) => problems.get(name) ?? null,
    close,
    async open(lease) {
      const { name, endpoint } = lease;
      if (endpoint === null) return null;
      let port = lease.local_port ?? dependencies.freePort();
      for (let tries = 0; tries < PORTS_TO_TRY; tries++) {
        const one = await hold(lease, endpoint, port);
        if (await untilServing(dependencies, lease, one)) {
          problems.delete(name);
          return { ...one, pid: pidOf(one) };
        }
        problems.set(name, problemIn(one));
        if (one.isClosed || !isPortTaken(one)) return null;
        port = dependencies.freePort();
      }
      return null;
    },
    async answers(lease) {
      const one = held.get(lease.name);
      return one === undefined || hasFailed(one) ? null : answersAt(dependencies, lease, one);
    },
  };
}

async function closeHeld(one: Held, pause: Pause): Promise<void> {
  one.isClosed = true;
  const limit = new AbortController();
  const closed = one.tunnel.close().finally(() => limit.abort());
  await Promise.race([closed, pause(CLOSE_MS, limit.signal)]);
}

async function begin(
  { driver, run, path, openTunnel }: HeldTunnelsDependencies,
  { name, tunnel_pid }: Lease,
  { endpoint, port }: { readonly endpoint: string; readonly port: number },
): Promise<Held> {
  const directory = driver.directory(name);
  if (tunnel_pid !== null) await endLeftoverSsh(run, { pid: tunnel_pid, directory, path });
  const tunnel = openTunnel({ name, endpoint, local_port: port, remote_port: SERVER_PORT });
  return { tunnel, local_port: port, key: readServerKey(directory), isClosed: false };
}

/** Keeps on disk which ssh is ours: one that outlives us would keep its successor out. */
async function follow({ moved }: HeldTunnelsDependencies, name: string, one: Held): Promise<void> {
  while (!one.isClosed) {
    const state = await one.tunnel.changed();
    if (state.kind === "closed" || one.isClosed) return;
    if (state.kind === "running") moved(name, { tunnel_pid: state.pid });
  }
}

/** False if the server does not answer in time, or nothing more is to be hoped for. */
async function untilServing(
  dependencies: HeldTunnelsDependencies,
  lease: Lease,
  one: Held,
): Promise<boolean> {
  const { clock, pause } = dependencies;
  const until = clock.elapsed() + OPEN_MS;
  while (!one.isClosed) {
    if (await answersAt(dependencies, lease, one)) return !one.isClosed;
    if (hasFailed(one) || clock.elapsed() >= until) return false;
    await pause(LOOK_MS);
  }
  return false;
}

export const baseUrl = (port: number) => `http://127.0.0.1:${port}/v1`;

async function answersAt(
  { fetch }: HeldTunnelsDependencies,
  { served_model }: Lease,
  { local_port, key }: Held,
): Promise<boolean> {
  const place = { base_url: baseUrl(local_port), key, served_model: served_model ?? "" };
  const answer = await probeThroughTunnel(fetch, { ...place, timeout_ms: PROBE_MS });
  return answer.kind === "serving";
}

function hasFailed({ tunnel }: Held): boolean {
  return tunnel.state().kind === "failed";
}

function pidOf({ tunnel }: Held): number | null {
  const state = tunnel.state();
  return state.kind === "running" ? state.pid : null;
}

function problemIn({ tunnel }: Held): string {
  const state = tunnel.state();
  if (state.kind !== "failed" && state.kind !== "waiting") return "nothing answers in time";
  const { fault, detail } = state.end;
  return detail === "" ? fault.replaceAll("_", " ") : detail;
}

function isPortTaken({ tunnel }: Held): boolean {
  const state = tunnel.state();
  return state.kind === "failed" && state.end.fault === "port_taken";
}
