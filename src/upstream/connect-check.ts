import { isMetadataAddress } from "../config/base-url.ts";
import type { Clock } from "../lib/clock.ts";
import { memoize } from "../lib/memoize.ts";
import type { TransportFault } from "../protocol/transport-fault.ts";
import type { Instance } from "./instance.ts";
import { transportFault } from "./transport-fault.ts";

/** How long a success spares a host the check. */
const TRUSTED_MS = 60_000;
/** Hosts remembered; the least recently successful one goes first. */
const MAX_HOSTS = 512;

export type ConnectResult =
  { readonly kind: "ok" } | { readonly kind: "failed"; readonly fault: TransportFault };

export interface Address {
  readonly hostname: string;
  readonly port: number;
}

/** Opens a TCP connection and closes it; gives the address it led to, rejects with the socket's error. */
type Connect = (address: Address) => Promise<string>;

export interface ConnectCheckDependencies {
  readonly clock: Clock;
  readonly connect?: Connect;
}

export interface ConnectCheck {
  /** Whether there is nothing to check: the host answered lately, or it is not ours to connect to. */
  readonly isTrusted: (instance: Instance) => boolean;
  /** Ends within the instance's `connect_ms`, or at once with fault `abort` when `signal` aborts. */
  readonly check: (instance: Instance, signal: AbortSignal) => Promise<ConnectResult>;
  /** Says that the host answered: the next 60 s need no check. */
  readonly noteSuccess: (instance: Instance) => void;
}

const OK: ConnectResult = { kind: "ok" };
const FORBIDDEN: ConnectResult = { kind: "failed", fault: { kind: "forbidden", code: null } };

/**
 * Tells a host that cannot be reached from one that thinks for long: fetch has one time limit for both,
 * so a host not heard of lately gets its TCP connection tried on its own first. It also shows where a name
 * leads: what a `base_url` must not say, its name must not mean either.
 */
export function createConnectCheck({
  clock,
  connect = connectAndClose,
}: ConnectCheckDependencies): ConnectCheck {
  const successes = new Map<string, number>();
  const running = new Map<string, Promise<ConnectResult>>();

  function remember(host: string) {
    successes.delete(host);
    successes.set(host, clock.elapsed());
    if (successes.size <= MAX_HOSTS) return;
    const [oldest] = successes.keys();
    if (oldest !== undefined) successes.delete(oldest);
  }

  function isFresh(host: string): boolean {
    const last = successes.get(host);
    return last !== undefined && clock.elapsed() - last < TRUSTED_MS;
  }

  function tryConnecting(host: string, address: Address, limit: number): Promise<ConnectResult> {
    const attempt = within(limit, connect(address))
      .then(
        (reached): ConnectResult => {
          if (isMetadataAddress(reached)) return FORBIDDEN;
          remember(host);
          return OK;
        },
        (error: unknown): ConnectResult => ({ kind: "failed", fault: transportFault(error) }),
      )
      .finally(() => running.delete(host));
    running.set(host, attempt);
    return attempt;
  }

  return {
    isTrusted(instance) {
      const place = placeOf(instance);
      return place === undefined || isFresh(place.host);
    },
    async check(instance, signal) {
      const place = placeOf(instance);
      if (place === undefined || isFresh(place.host)) return OK;
      const { host, address } = place;
      // Requests that meet at a new host share one connection.
      const attempt =
        running.get(host) ?? tryConnecting(host, address, instance.timeouts.connect_ms);
      return untilAborted(attempt, signal);
    },
    noteSuccess(instance) {
      const place = placeOf(instance);
      if (place !== undefined) remember(place.host);
    },
  };
}

interface Place {
  /** What its successes are remembered by. */
  readonly host: string;
  readonly address: Address;
}

/** Undefined where nothing of ours can be tried: the proxy connects, or there is no network at all. */
const placeOf = memoize((instance: Instance): Place | undefined => {
  if (instance.proxy !== undefined || instance.type.id === "sim") return undefined;
  const url = URL.parse(instance.base_url);
  if (url === null) return undefined;
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const hostname = url.hostname.replace(/^\[|\]$/g, "");
  return { host: `${hostname}:${port}`, address: { hostname, port } };
});

async function connectAndClose(address: Address): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  // A socket that opens after its limit closes here too, so none is left behind.
  const open = (socket: Bun.Socket) => {
    resolve(socket.remoteAddress);
    socket.end();
  };
  await Bun.connect({ ...address, socket: { open, data() {} } });
  return promise;
}

async function within<T>(limit: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new DOMException("no connection within the limit", "TimeoutError"));
  }, limit);
  timer.unref();
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function untilAborted(
  work: Promise<ConnectResult>,
  signal: AbortSignal,
): Promise<ConnectResult> {
  const aborted: ConnectResult = { kind: "failed", fault: { kind: "abort", code: null } };
  if (signal.aborted) return aborted;
  const { promise, resolve } = Promise.withResolvers<ConnectResult>();
  const give = () => resolve(aborted);
  signal.addEventListener("abort", give, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}
