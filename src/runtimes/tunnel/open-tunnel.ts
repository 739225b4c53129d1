import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { NotStarted, Program, RunCommand, RunningProgram, StartProgram } from "../command.ts";
import type { Pause } from "../pause.ts";
import { isFinal, readSshEnd, reconnectDelay, type TunnelEnd } from "./read-ssh.ts";
import { identityPath, makeIdentity, sshCommand } from "./ssh-command.ts";

export type TunnelState =
  | { readonly kind: "connecting" }
  /** ssh runs; only a probe through it says whether anything answers. */
  | { readonly kind: "running"; readonly pid: number; readonly since: number }
  | { readonly kind: "waiting"; readonly end: TunnelEnd; readonly retry_at: number }
  /** It does not try again: another port, or a person, is needed. */
  | { readonly kind: "failed"; readonly end: TunnelEnd }
  | { readonly kind: "closed" };

export interface Tunnel {
  readonly state: () => TunnelState;
  /** Settles with the next state other than the present one. */
  readonly changed: () => Promise<TunnelState>;
  /** Ends the wait before the next connection. */
  readonly retryNow: () => void;
  /** Settles once ssh and the bridge are gone. */
  readonly close: () => Promise<void>;
}

export interface TunnelDependencies {
  readonly driver: Pick<ColabDriver, "refresh" | "bridge" | "directory">;
  readonly run: RunCommand;
  readonly start: StartProgram;
  readonly clock: Clock;
  readonly random: Random;
  readonly pause: Pause;
  /** Where `ssh-keygen` is looked for. */
  readonly path: string;
}

export interface TunnelRequest {
  readonly name: string;
  readonly endpoint: string;
  readonly local_port: number;
  readonly remote_port: number;
}

/** A connection that held this long was a good one: the next wait is the first of the ladder again. */
const GOOD_MS = 60_000;

/** Keeps a forwarded port open until it is closed. One connection at a time: Colab allows no second. */
export function openTunnel(dependencies: TunnelDependencies, request: TunnelRequest): Tunnel {
  const { clock, random, pause } = dependencies;
  const closing = new AbortController();
  let waiting = new AbortController();
  let state: TunnelState = { kind: "connecting" };
  let next = Promise.withResolvers<TunnelState>();
  let program: RunningProgram | undefined;
  let failures = 0;

  const become = (to: TunnelState) => {
    if (state.kind === "closed") return;
    state = to;
    const told = next;
    next = Promise.withResolvers();
    told.resolve(to);
  };
  const hold = async (): Promise<TunnelEnd> => {
    const prepared = await prepare(dependencies, request).catch((error): TunnelEnd => ({
      fault: "failed",
      detail: String(error),
    }));
    if ("fault" in prepared) return prepared;
    // Nothing waits between this look and the start, so a closed tunnel starts nothing.
    if (closing.signal.aborted) return { fault: "dropped", detail: "closed meanwhile" };
    const started = dependencies.start(prepared);
    if (started.kind === "not_started") return notStarted(started);
    program = started;
    const since = clock.elapsed();
    become({ kind: "running", pid: started.pid, since: clock.now() });
    await started.exited;
    program = undefined;
    if (clock.elapsed() - since >= GOOD_MS) failures = 0;
    return readSshEnd(started.stderr());
  };
  const keep = async () => {
    while (!closing.signal.aborted) {
      become({ kind: "connecting" });
      const end = await hold();
      if (closing.signal.aborted) return;
      if (isFinal(end.fault)) return become({ kind: "failed", end });
      failures += 1;
      const delay_ms = reconnectDelay(end.fault, failures, random);
      waiting = new AbortController();
      become({ kind: "waiting", end, retry_at: clock.now() + delay_ms });
      await pause(delay_ms, AbortSignal.any([waiting.signal, closing.signal]));
    }
  };
  void keep();

  return {
    state: () => state,
    changed: () => next.promise,
    retryNow: () => waiting.abort(),
    async close() {
      closing.abort();
      await program?.stop();
      become({ kind: "closed" });
    },
  };
}

/** What to start, or why there is nothing to start. */
async function prepare(
  { driver, run, path }: TunnelDependencies,
  { name, endpoint, local_port, remote_port }: TunnelRequest,
): Promise<Program | TunnelEnd> {
  const directory = driver.directory(name);
  const problem = await makeIdentity(run, { directory, path });
  if (problem !== null) return { fault: "not_installed", detail: problem };
  // Before each connection: the bridge rents a machine where the store lacks the session.
  const refreshed = await driver.refresh(name, endpoint);
  if (refreshed.kind === "missing") {
    return { fault: "no_session", detail: `\`colab sessions\` does not list \`${endpoint}\`` };
  }
  if (refreshed.kind === "failed") return { fault: "network", detail: refreshed.fault.message };
  const bridge = driver.bridge(name, identityPath(directory));
  return sshCommand({ bridge, directory, local_port, remote_port });
}

function notStarted({ cause, reason }: NotStarted): TunnelEnd {
  const hint = cause === "missing" ? "; install the OpenSSH client" : "";
  return { fault: "not_installed", detail: `${reason}${hint}` };
}
