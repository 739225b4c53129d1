import { join } from "node:path";

import { createApi } from "./api/create-api.ts";
import type { ApiDependencies, Readiness } from "./api/dependencies.ts";
import { listen, ListenError } from "./api/listen.ts";
import { openStateDirectory } from "./config/paths.ts";
import { formatProblem } from "./config/problem.ts";
import type { Config } from "./config/schema.ts";
import { createBaselineTimer } from "./control/baseline-timer.ts";
import type { Canary } from "./control/canary/canary.ts";
import { createWatchedPlane } from "./control/canary/watched-plane.ts";
import { credentialSource } from "./control/credential-source.ts";
import type { DataPlane } from "./control/data-plane.ts";
import { examine, type InstanceReport } from "./control/doctor.ts";
import { createExclusionList } from "./control/exclusion-list.ts";
import { type Found, found } from "./control/found.ts";
import { createInventory } from "./control/inventory.ts";
import { createLiveConfig, type LiveConfig } from "./control/live-config.ts";
import { createNotifications, type Notifications } from "./control/notifications.ts";
import { observe } from "./control/observers.ts";
import { createOwnRuntimes } from "./control/own-runtimes.ts";
import { remember, type Remembered } from "./control/remembered.ts";
import { createRetention } from "./control/retention.ts";
import { type Clock, systemClock } from "./lib/clock.ts";
import { parseDuration } from "./lib/durations.ts";
import { type Random, systemRandom } from "./lib/random.ts";
import { listModels } from "./routing/models-list.ts";
import type { Runtimes } from "./runtimes/runtimes.ts";
import { openStore } from "./store/open.ts";
import { acquireServeLock, type LockHolder, type ServeLock } from "./store/serve-lock.ts";
import { StoreError } from "./store/store-error.ts";
import type { Store } from "./store/store.ts";
import { type Fault, faultOf } from "./telemetry/fault.ts";
import { createEventHub } from "./telemetry/hub.ts";
import { createLog, type Log, openLogDestination } from "./telemetry/log.ts";
import type { Fetch } from "./upstream/fetch.ts";
import { createSimulator, isSimulatorUrl, type Simulator } from "./upstream/sim/simulator.ts";

export interface Paths {
  readonly state_dir: string;
  readonly config_file: string | null;
}

export interface StartRequest {
  readonly paths: Paths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Where log lines go; standard error if left out. */
  readonly log?: Log;
  /** Told what happens to rented GPUs, for a person at a terminal. */
  readonly onRuntimeNotice?: (text: string) => void;
}

export type ReloadAnswer =
  | { readonly ok: true; readonly notes: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** A router that listens. */
export interface RunningApp {
  /** Where it listens, such as `http://127.0.0.1:8484`; reachable from this machine. */
  readonly url: string;
  /** Settles once local servers were looked for and the first listings are in, or their time is up. */
  readonly discovered: Promise<void>;
  readonly simulator: Pick<Simulator, "setFault">;
  found(): Found;
  reload(): Promise<ReloadAnswer>;
  readonly runtimes: Runtimes;
  /** Drains, leaves or releases rented GPUs, writes what is queued, closes. */
  stop(): Promise<Stopped>;
}

export interface Stopped {
  /** Of every rented GPU that may still cost money. */
  readonly billing: readonly string[];
}

/** A start that was refused says why in whole sentences, each with its fix. */
export type StartResult =
  | { readonly ok: true; readonly app: RunningApp }
  | { readonly ok: false; readonly exit_code: 1 | 78; readonly problems: readonly string[] };

/** Makes the state directory, opens the store, reads the config and listens. */
export async function createApp(request: StartRequest): Promise<StartResult> {
  const { paths, env, clock = systemClock } = request;
  const directory = openStateDirectory(paths.state_dir);
  if (!directory.ok) return refused(1, [directory.message]);
  const held: Held = openLog(request);
  try {
    const locked = acquireServeLock(join(paths.state_dir, "serve.lock"));
    if (locked.kind === "held") return refused(1, [heldBy(locked.holder, paths)]);
    held.lock = locked.lock;
    const store = await openStore({
      path: join(paths.state_dir, "veriroute.db"),
      log: held.log,
      clock,
    });
    held.store = store;
    const started = createLiveConfig({ path: paths.config_file, env, store });
    if (!started.ok) return await giveUp(held, refused(78, started.problems.map(formatProblem)));
    const { live } = started;
    const parts = { ...held, live, store, lock: locked.lock, ...(await remember(store, clock)) };
    return { ok: true, app: await run(request, parts) };
  } catch (error) {
    const isExpected = error instanceof StoreError || error instanceof ListenError;
    if (!isExpected) throw error;
    return giveUp(held, refused(1, [error.message]));
  }
}

/** Asks every instance for its models, once; for `doctor`. */
export function createDoctor({ config, env, version }: DoctorRequest) {
  const identity = { version, id: newRouterId() };
  return {
    examine: (limits: { readonly timeout_ms: number }): Promise<readonly InstanceReport[]> =>
      examine({ config, env, identity, fetch: systemFetch }, limits),
  };
}

export interface DoctorRequest {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** What a start has taken so far, to be given back if it fails. */
interface Held {
  readonly log: Log;
  /** Settles once every line is written, or its time is up. */
  readonly flush: () => Promise<void>;
  lock?: ServeLock;
  store?: Store;
}

interface Parts extends Held, Remembered {
  readonly live: LiveConfig;
  readonly store: Store;
  readonly lock: ServeLock;
}

async function giveUp({ store, lock }: Held, result: StartResult): Promise<StartResult> {
  await store?.close();
  lock?.release();
  return result;
}

function refused(exit_code: 1 | 78, problems: readonly string[]): StartResult {
  return { ok: false, exit_code, problems };
}

function heldBy({ pid, address }: LockHolder, { state_dir }: Paths): string {
  const where = address === null ? "is starting" : `listens on ${address}`;
  return `another veriroute (pid ${pid}) ${where} and uses ${state_dir}; stop it, or set VERIROUTE_STATE_DIR to another directory`;
}

function openLog({ log }: StartRequest): Pick<Held, "log" | "flush"> {
  if (log) return { log, flush: () => Promise.resolve() };
  const destination = openLogDestination();
  const flush = () => destination.flush();
  return { log: createLog({ level: "info", destination }), flush };
}

const newId = (): string => Bun.randomUUIDv7();

const newRouterId = (): string => crypto.randomUUID().slice(0, 13);

const systemFetch: Fetch = (url, init) => fetch(url, init);

/** Puts the parts together and starts them. Throws `ListenError` if the address cannot be bound. */
async function run(request: StartRequest, parts: Parts): Promise<RunningApp> {
  const { live, store, log, lock } = parts;
  const { clock = systemClock, random = systemRandom } = request;
  const config = () => live.current().config;
  log.level = config().log.level;
  for (const warning of live.current().warnings) log.warn(formatProblem(warning));
  const simulator = createSimulator({ clock, random });
  const phase: Phase = { status: "starting", port: null };
  const assembled = assemble(request, { ...parts, simulator, phase });
  const { api, plane, retention, baselines, runtimes, canary } = assembled;
  // Whoever is suspended gets no first request either.
  await canary.start();
  const url = listen(api, config().server);
  phase.port = Number(new URL(url).port);
  live.onChange(() => {
    log.level = config().log.level;
    plane.reconfigure();
    canary.reconfigure();
  });
  plane.discovery.start();
  plane.balances.start();
  retention.start();
  baselines.start();
  void runtimes.start();
  lock.announce(url);
  phase.status = "ready";
  return {
    url,
    discovered: plane.discovery.firstRound,
    simulator,
    runtimes,
    found: () => found({ registry: plane.registry, config: config(), store }),
    reload: async () => reloadAnswer(await live.reload()),
    stop: () => stop(assembled, parts, phase),
  };
}

/** What changes between start and stop. */
interface Phase {
  status: Readiness["status"];
  port: number | null;
}

interface Assembled {
  readonly api: ReturnType<typeof createApi>;
  readonly plane: DataPlane;
  readonly retention: ReturnType<typeof createRetention>;
  readonly notifications: Notifications;
  readonly baselines: ReturnType<typeof createBaselineTimer>;
  readonly canary: Canary;
  readonly runtimes: Runtimes;
}

type AssembleParts = Parts & { readonly simulator: Simulator; readonly phase: Phase };

function assemble(
  request: StartRequest,
  { simulator, phase, mangled, ...parts }: AssembleParts,
): Assembled {
  const { env, version, clock = systemClock, random = systemRandom } = request;
  const { live, store, log } = parts;
  const config = () => live.current().config;
  const identity = { version, id: newRouterId() };
  const events = createEventHub();
  const fetch: Fetch = (url, init) =>
    isSimulatorUrl(url) ? simulator.fetch(url, init) : systemFetch(url, init);
  const ownPort = () => phase.port;
  const exclusions = createExclusionList({ config, store });
  const shared = { config, env, clock, random, newId, identity, events, store, log };
  const notifications = createNotifications({ ...shared, version, fetch: systemFetch });
  const { plane, canary } = createWatchedPlane({
    ...shared,
    fetch,
    ownPort,
    exclusions,
    onActivity: (instance, kind) => runtimes.noteActivity(instance, kind),
    trips: parts.trips,
    tallies: parts.tallies,
    notify: notifications.notify,
    cards: () => live.current().cards,
  });
  const runtimes = createOwnRuntimes({
    ...shared,
    state_dir: request.paths.state_dir,
    version,
    fetch: systemFetch,
    registry: plane.registry,
    tell(notice) {
      notifications.notify({ kind: "runtime", ...notice });
      request.onRuntimeNotice?.(notice.text);
    },
  });
  events.register(plane.balances.sink);
  const onFailure = (error: unknown) => log.warn(told(error), "retention failed");
  const served = { ...shared, live, version, exclusions, notifications, runtimes, canary, mangled };
  const api = serve({ ...served, plane, phase });
  const retention = createRetention({ store, config, clock, onFailure });
  const baselines = createBaselineTimer(plane.saveBaselines);
  return { api, plane, retention, notifications, baselines, runtimes, canary };
}

interface Served extends Pick<
  ApiDependencies,
  "version" | "clock" | "store" | "exclusions" | "canary" | "runtimes" | "newId"
> {
  readonly live: LiveConfig;
  readonly config: () => Config;
  readonly env: StartRequest["env"];
  readonly log: Log;
  readonly events: ReturnType<typeof createEventHub>;
  readonly identity: { readonly id: string };
  readonly notifications: Notifications;
  readonly canary: Canary;
  readonly runtimes: Runtimes;
  readonly mangled: Remembered["mangled"];
  readonly plane: DataPlane;
  readonly phase: Phase;
}

/** Everything that can be asked, not yet listening. */
function serve({ live, plane, phase, identity, config, ...served }: Served) {
  const { env, store, log, runtimes, canary } = served;
  const { relay, registry, world, catalog, balances, preferences } = plane;
  return createApi({
    ...served,
    ...observe({
      ...served,
      relay,
      runtimes: () => runtimes.figures(),
      canary: () => canary.figures(),
    }),
    relay,
    catalog,
    balances,
    preferences,
    instance_id: identity.id,
    config: live,
    models: () => listModels(world()),
    inventory: createInventory({
      registry,
      config,
      world,
      loads: () => relay.loads(),
      answerType: plane.answerTypes.of,
      credentialFrom: (instance) => credentialSource(instance, { config: config(), env }),
    }),
    readiness: () => ({ status: phase.status, degraded: store.stats().healthy ? [] : ["store"] }),
    onUnexpected: ({ error, ...where }) => log.error({ ...where, ...told(error) }, "bug"),
  });
}

/** How long the last answers may take to reach their clients; with the drain below what `docker stop` waits. */
const LAST_BYTES_MS = 500;

/** Listener first, then what is open, then what is queued. */
async function stop(
  { api, plane, retention, notifications, baselines, runtimes, canary }: Assembled,
  parts: Parts,
  phase: Phase,
): Promise<Stopped> {
  const { live, store, lock, flush } = parts;
  phase.status = "stopping";
  const closed = api.server?.stop(false);
  plane.discovery.stop();
  plane.balances.stop();
  retention.stop();
  await canary.stop();
  await plane.relay.shutdown(parseDuration(live.current().config.server.drain) ?? 0);
  // The last answers are on their way; a client that does not read them is not waited for.
  await Promise.race([closed, Bun.sleep(LAST_BYTES_MS)]);
  await api.server?.stop(true);
  const billing = await runtimes.close();
  notifications.stop();
  baselines.stop();
  await store.close();
  lock.release();
  await flush();
  return { billing };
}

function reloadAnswer(result: Awaited<ReturnType<LiveConfig["reload"]>>): ReloadAnswer {
  if (!result.ok) return { ok: false, problems: result.problems.map(formatProblem) };
  const changed = result.changed.map((key) => `changed: ${key}`);
  const waiting = result.restart.map((key) => `needs a restart: ${key}`);
  return { ok: true, notes: [...changed, ...waiting] };
}

/** A `StoreError` is of our own words; any other message may quote what was being read. */
const told = (error: unknown): Partial<Fault> =>
  error instanceof StoreError ? { error: error.message } : faultOf(error);
