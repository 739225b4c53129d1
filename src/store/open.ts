import type { Clock } from "../lib/clock.ts";
import type { Decision } from "../routing/decision.ts";
import { canaryStore } from "./client/canary.ts";
import { type Connection, createConnection, type Opened } from "./client/connection.ts";
import { startFileCheck } from "./client/file-check.ts";
import type { StoreLog } from "./client/status.ts";
import type { QueueLimits, WriteQueue } from "./client/write-queue.ts";
import { StoreError } from "./store-error.ts";
import type { Store } from "./store.ts";
import type { FromWorker, ToWorker } from "./worker-messages.ts";

const QUEUE_LIMITS: QueueLimits = { rows: 10_000, characters: 64 * 1024 ** 2 };

/** Long enough for a start on one core; damage is met as it is read meanwhile. */
const CHECK_DELAY_MS = 2000;

/** How long closing waits for the last rows; a lock of another process must not hold up the exit. */
const CLOSE_WAIT_MS = 5000;

const KEYS_LOST =
  "the keys of this router were lost with its database: nobody is let in until `veriroute keys create` makes new ones";

export interface StoreDependencies {
  /** File of the database, made if missing; `:memory:` for one that ends with the store. */
  readonly path: string;
  readonly log: StoreLog;
  readonly clock: Clock;
  readonly limits?: QueueLimits;
  /** How long after the start a large file is read whole for damage. */
  readonly check_delay_ms?: number;
}

/**
 * Opens the store: migrated, checked for damage (a large file as far as a start needs it, and whole beside the work),
 * with what a process that died left unfinished
 * marked `interrupted`. Rejects with `StoreError`: `newer_schema`, `locked`, `unwritable`, `full`
 * or `disk`. A damaged database is no error: a fresh one serves and `stats()` says so.
 */
export async function openStore(dependencies: StoreDependencies): Promise<Store> {
  const { path, log, clock, limits = QUEUE_LIMITS } = dependencies;
  const worker = startWorker();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
  const post = (message: ToWorker) => worker.postMessage(message);
  const opening = waitForOpened(worker);
  post({ kind: "open", path, now: clock.now() });
  try {
    const opened = await opening;
    if (opened.problem !== null) log.error({ path }, opened.problem);
    if (opened.state.keys_lost) log.error({ path }, KEYS_LOST);
    const connection = createConnection({ opened, post, log, limits });
    worker.addEventListener("message", ({ data: message }: MessageEvent<FromWorker>) =>
      connection.receive(message),
    );
    worker.addEventListener("error", ({ message }) => connection.broken(workerFailed(message)));
    const { check_delay_ms: delay_ms = CHECK_DELAY_MS } = dependencies;
    const onResult = (damage: string | null) => post({ kind: "checked", damage });
    const endCheck = opened.unchecked
      ? startFileCheck({ path, delay_ms, startWorker, onResult, log })
      : undefined;
    return toStore(connection, createClose({ worker, connection, log, endCheck }));
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** In the binary this file is part of `main`, and the worker lies where the build puts entry points. */
function startWorker(): Worker {
  const file = Bun.isStandaloneExecutable ? "./store/worker.ts" : "./worker.ts";
  return new Worker(new URL(file, import.meta.url), { smol: true });
}

function waitForOpened(worker: Worker): Promise<Opened> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("error", ({ message }) =>
      reject(new StoreError("failed", workerFailed(message))),
    );
    worker.addEventListener("message", ({ data: message }: MessageEvent<FromWorker>) => {
      if (message.kind === "opened") resolve(message);
      if (message.kind !== "not_opened") return;
      reject(new StoreError(message.refusal.kind, message.refusal.message));
    });
  });
}

const workerFailed = (reason: string) => `the store's worker failed: ${reason}`;

function toStore({ record, call, ...connection }: Connection, close: Store["close"]): Store {
  return {
    recordDecision: (decision, state) => record((queue) => addTo(queue, decision, state)),
    recordAudit: (entry) => record((queue) => queue.addAudit(entry)),
    recordVerification: (row) => record((queue) => queue.addVerification(row)),
    state: connection.state,
    onStateChange: connection.onStateChange,
    stats: connection.stats,
    async listDecisions(filter) {
      const { items, next } = await call({ name: "list_decisions", argument: filter });
      return { items: items.map(parseDecision), next };
    },
    async getDecision(id) {
      const json = await call({ name: "get_decision", argument: id });
      return json === null ? null : parseDecision(json);
    },
    listVerifications: (filter) => call({ name: "list_verifications", argument: filter }),
    countMangled: (since) => call({ name: "count_mangled", argument: since }),
    listAudit: (page) => call({ name: "list_audit", argument: page }),
    async addKey(key) {
      await call({ name: "add_key", argument: key });
    },
    revokeKey: (id, at) => call({ name: "revoke_key", argument: { id, at } }),
    setKeyProfile: (id, profile) => call({ name: "set_key_profile", argument: { id, profile } }),
    async setOverride(key, json) {
      await call({ name: "set_override", argument: { key, json } });
    },
    deleteOverride: (key) => call({ name: "delete_override", argument: key }),
    async setProfile(name, json) {
      await call({ name: "set_profile", argument: { name, json } });
    },
    deleteProfile: (name) => call({ name: "delete_profile", argument: name }),
    addAllowed: (target) => call({ name: "add_allowed", argument: target }),
    removeAllowed: (target) => call({ name: "remove_allowed", argument: target }),
    async addExclusion(exclusion) {
      await call({ name: "add_exclusion", argument: exclusion });
    },
    removeExclusion: (id) => call({ name: "remove_exclusion", argument: id }),
    listTrips: () => call({ name: "list_trips", argument: null }),
    async saveTrip(trip) {
      await call({ name: "save_trip", argument: trip });
    },
    async dropTrip(trip) {
      await call({ name: "drop_trip", argument: trip });
    },
    listTallies: () => call({ name: "list_tallies", argument: null }),
    async saveTallies(tallies) {
      await call({ name: "save_tallies", argument: tallies });
    },
    async addMute(mute) {
      await call({ name: "add_mute", argument: mute });
    },
    removeMute: (id) => call({ name: "remove_mute", argument: id }),
    canary: canaryStore(call),
    prune: (limits) => call({ name: "prune", argument: limits }),
    close,
  };
}

function addTo(queue: WriteQueue, decision: Decision, state?: "final"): void {
  const json = () => JSON.stringify(decision);
  queue.addDecision(decision.id, state === "final" ? json : json());
}

/** What comes out is what `recordDecision` put in; migrations keep older records up to date. */
const parseDecision = (json: string): Decision => JSON.parse(json);

interface CloseDependencies {
  readonly worker: Worker;
  readonly connection: Connection;
  readonly log: StoreLog;
  readonly endCheck: (() => void) | undefined;
}

/** Never rejects: what could not be written is in the log, and the exit goes on. */
function createClose({
  worker,
  connection,
  log,
  endCheck,
}: CloseDependencies): () => Promise<void> {
  const close = async () => {
    endCheck?.();
    const { promise: tooLong, resolve: giveUp } = Promise.withResolvers<string>();
    const timer = setTimeout(giveUp, CLOSE_WAIT_MS, "the last rows could not be written in time");
    const closed = connection.call({ name: "close", argument: null }).catch(String);
    connection.seal({ kind: "closed", message: "the store is closed." });
    const problem = await Promise.race([closed, tooLong]);
    clearTimeout(timer);
    if (problem !== null) log.error({}, `the store was not closed properly: ${problem}`);
    worker.terminate();
  };
  let running: Promise<void> | undefined;
  return () => (running ??= close());
}
