import { providerType } from "../catalog/provider-types.ts";
import { type Adopted, adoptedName, adoptMachine, type AdoptRequest } from "./adopt.ts";
import { assemble, leasesOf, type RuntimeParts } from "./assemble.ts";
import { readServerKey } from "./attach/server-key.ts";
import { createMachineCalls } from "./bootstrap/machine.ts";
import { isBilling, type Lease } from "./lease.ts";
import { hubAccess } from "./metadata/hub-access.ts";
import { leaseLockFile } from "./places.ts";
import { unitsUsed } from "./policy/deadlines.ts";
import { settingsObstacle } from "./policy/settings.ts";
import { nameProblem } from "./policy/up.ts";
import { billingNotice } from "./policy/words.ts";
import type { RuntimesDependencies } from "./runtimes-dependencies.ts";
import type { BringUpOutcome } from "./up/bring-up.ts";
import { judgeWish } from "./up/judge-wish.ts";
import { startUp } from "./up/start-up.ts";
import { faultText } from "./up/step.ts";
import { missingTool } from "./up/tools.ts";
import { nameFor, type UpWish } from "./up/wish.ts";
import { type RuntimeView, viewOf, viewOfFile } from "./views.ts";

export type RuntimeAnswer =
  | { readonly ok: true; readonly runtime: RuntimeView }
  /** Nothing was done, and nothing costs money for it. */
  | { readonly ok: false; readonly problem: string };

export type RuntimeLogs =
  | { readonly ok: true; readonly logs: Readonly<Record<string, readonly string[]>> }
  | { readonly ok: false; readonly problem: string };

/** The rented GPUs of this state directory, and the process that keeps their deadlines. */
export interface Runtimes {
  /** Takes over what is there; without a lease and with the subsystem off nothing happens, now or later. */
  readonly start: () => Promise<void>;
  /** Rents a machine; settles once the lease is on disk and supervised, and Colab is being asked. */
  readonly up: (wish: UpWish) => Promise<RuntimeAnswer>;
  /** Begins to release one, and goes on until that is proven. Null: there is none of that name. */
  readonly down: (name: string) => Promise<RuntimeAnswer | null>;
  readonly adopt: (
    request: Pick<AdoptRequest, "endpoint"> & { readonly name: string | null },
  ) => Promise<RuntimeAnswer>;
  readonly list: () => Promise<readonly RuntimeView[]>;
  /** One that ended in this process is still found; null if there is and was none. */
  readonly find: (name: string) => Promise<RuntimeView | null>;
  readonly logs: (name: string, lines: number) => Promise<RuntimeLogs | null>;
  readonly noteActivity: (name: string, kind: "start" | "end") => void;
  /** What costs money now, for metrics. */
  readonly figures: () => readonly {
    readonly name: string;
    readonly phase: string;
    readonly compute_units: number | null;
  }[];
  /** The notice of everything that may cost money now. */
  readonly billing: () => readonly string[];
  /**
   * Leaves runtimes to their watchdogs or releases them, as `runtimes.on_exit` says; gives back the
   * notices of those that may still cost money.
   */
  readonly close: () => Promise<readonly string[]>;
}

/** Long enough for a stop, two listings 30 s apart, and another try. */
const CLOSE_MS = 180_000;

export function createRuntimes(dependencies: RuntimesDependencies): Runtimes {
  const { settings, clock, tell } = dependencies;
  const life = createLife(dependencies);
  const { begin } = life;
  const own = (): readonly Lease[] =>
    (life.parts()?.supervisor.leases() ?? []).filter(({ phase }) => isBilling(phase));

  return {
    async start() {
      const leases = leasesOf(dependencies);
      try {
        if (!settings().enabled && (await leases.list()).length === 0) return;
      } catch (error) {
        tell({ is_urgent: true, text: `MAY STILL BE BILLING: ${reasonOf(error)}` });
      }
      await begin();
    },
    up: (wish) => answering(() => up(dependencies, begin, wish)),
    adopt: ({ endpoint, name }) =>
      answering(async () => {
        const made = await begin();
        const request = { endpoint, name: name ?? adoptedName(endpoint) };
        const { lock, ...adopted } = await adoptMachine(dependencies, made, request);
        if (adopted.ok && lock !== undefined) made.supervisor.watch(adopted.lease, lock);
        return answerOf(dependencies, adopted);
      }),
    async down(name) {
      const view = await find(dependencies, life.parts(), name);
      if (view === null || (view.phase !== "unreadable" && !isBilling(view.phase))) return null;
      return down(dependencies, await begin(), view);
    },
    list: async () => {
      const files = await leasesOf(dependencies).list();
      return files.map((file) => viewOfFile(file, viewing(dependencies, file.name)));
    },
    find: (name) => find(dependencies, life.parts(), name),
    logs: (name, lines) => logs(life.parts(), name, lines),
    noteActivity: (name, kind) => life.parts()?.supervisor.noteActivity(name, kind),
    figures: () =>
      own().map((lease) => {
        const { name, phase } = lease;
        return { name, phase, compute_units: unitsUsed(lease, clock.now()) };
      }),
    billing: () => own().map(billingNotice),
    async close() {
      life.stop();
      const parts = life.parts();
      if (parts === null) return [];
      return closeWithin(parts, dependencies, () => own().map(billingNotice));
    },
  };
}

interface Life {
  /** Null until something has to be watched. */
  readonly parts: () => RuntimeParts | null;
  /** Settles once what was left by earlier processes has been looked at. */
  readonly begin: () => Promise<RuntimeParts>;
  /** No tick comes any more. */
  readonly stop: () => void;
}

function createLife(dependencies: RuntimesDependencies): Life {
  const stopping = new AbortController();
  let begun: Promise<RuntimeParts> | null = null;
  let parts: RuntimeParts | null = null;

  async function beginWith(made: RuntimeParts): Promise<RuntimeParts> {
    try {
      await made.supervisor.start();
    } catch (error) {
      const { log } = dependencies;
      log.error({ err: error }, "the start of the supervisor failed; its ticks come all the same");
    }
    void made.supervisor.run(stopping.signal);
    return made;
  }

  return {
    parts: () => parts,
    begin() {
      begun ??= beginWith((parts = assemble(dependencies)));
      return begun;
    },
    stop: () => stopping.abort(),
  };
}

/** What cannot be done is told in whole sentences; nothing costs money for it. */
async function answering(act: () => Promise<RuntimeAnswer>): Promise<RuntimeAnswer> {
  try {
    return await act();
  } catch (error) {
    return refused(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function up(
  dependencies: RuntimesDependencies,
  begin: () => Promise<RuntimeParts>,
  wish: UpWish,
): Promise<RuntimeAnswer> {
  const { env, fetch, version, clock, registry } = dependencies;
  const settings = dependencies.settings();
  const name = wish.name ?? nameFor(wish.repo);
  const obstacle = settingsObstacle(settings) ?? nameProblem(name);
  if (obstacle !== null) return refused(obstacle);
  if (registry.get(name) !== undefined || providerType(name) !== undefined) {
    return refused(`\`${name}\` is the name of a provider; \`--name\` gives another name`);
  }
  const access = hubAccess({ env, hf_token: settings.hf_token, fetch, version });
  if (!access.ok) return refused(access.problem);
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const named = { ...wish, name };
  const judged = await judgeWish(named, { settings, hub: access.hub, today });
  if (!judged.ok) return refused(judged.problem);
  const parts = await begin();
  const missing = await missingTool({ driver: parts.driver, path: env["PATH"] ?? "" });
  if (missing !== null) return refused(missing);
  const request = { wish: named, judged, hf_token: access.hub.token };
  const started = await startUp(dependencies, parts, request);
  if (!started.ok) return started;
  void tellOutcome(dependencies, name, started.outcome);
  return { ok: true, runtime: viewOf(started.lease, viewing(dependencies, name)) };
}

async function tellOutcome(
  { tell }: RuntimesDependencies,
  name: string,
  pending: Promise<BringUpOutcome>,
): Promise<void> {
  const outcome = await pending;
  if (outcome.kind === "ready") tell({ is_urgent: false, text: `${name} is ready` });
  if (outcome.kind !== "failed") return;
  const { message, notice } = outcome;
  const text = `${name} could not be brought up: ${message}`;
  if (notice === null) tell({ is_urgent: false, text: `${text}; it costs nothing any more` });
  else tell({ is_urgent: true, text: `${notice}; ${text}` });
}

async function down(
  dependencies: RuntimesDependencies,
  { supervisor }: RuntimeParts,
  view: RuntimeView,
): Promise<RuntimeAnswer> {
  const { name, watched_by } = view;
  if (!supervisor.leases().some((lease) => lease.name === name)) {
    if (view.phase === "unreadable") return refused(`${view.notice ?? name} (${view.error ?? ""})`);
    return refused(`the process ${watched_by ?? "?"} answers for \`${name}\`; end it there`);
  }
  void releaseLoudly(dependencies, supervisor, name);
  return { ok: true, runtime: view };
}

async function releaseLoudly(
  { tell, log }: RuntimesDependencies,
  supervisor: RuntimeParts["supervisor"],
  name: string,
): Promise<void> {
  try {
    const outcome = await supervisor.release(name, { why: "somebody asked for it" });
    if (outcome?.kind === "unproven") tell({ is_urgent: true, text: outcome.notice });
  } catch (error) {
    log.error({ err: error, runtime: name }, "a release failed; the next tick tries again");
  }
}

async function find(
  dependencies: RuntimesDependencies,
  parts: RuntimeParts | null,
  name: string,
): Promise<RuntimeView | null> {
  const file = await leasesOf(dependencies).read(name);
  if (file !== null) return viewOfFile(file, viewing(dependencies, name));
  const ended = parts?.ended(name) ?? null;
  return ended === null ? null : viewOf(ended, viewing(dependencies, name));
}

function viewing({ state_dir, clock, lockHolder }: RuntimesDependencies, name: string) {
  const holder = lockHolder(leaseLockFile(state_dir, name));
  return { now: clock.now(), watched_by: holder?.pid ?? null };
}

async function logs(
  parts: RuntimeParts | null,
  name: string,
  lines: number,
): Promise<RuntimeLogs | null> {
  const lease = parts?.supervisor.find(name) ?? null;
  if (parts === null || lease === null) return null;
  const { driver } = parts;
  const key = readServerKey(driver.directory(name));
  const machine = createMachineCalls({ driver, name, nonce: () => crypto.randomUUID() });
  const report = await machine.readLogs(lines, key === null ? [] : [key]);
  if (report.kind === "ok") return { ok: true, logs: report.logs };
  return { ok: false, problem: faultText(report.fault) };
}

async function closeWithin(
  { supervisor }: RuntimeParts,
  { pause, log }: RuntimesDependencies,
  billing: () => readonly string[],
): Promise<readonly string[]> {
  const limit = new AbortController();
  const over = new AbortController();
  const tooLate = async () => {
    await pause(CLOSE_MS, over.signal);
    limit.abort();
    return billing();
  };
  try {
    return await Promise.race([supervisor.close(limit.signal), tooLate()]);
  } catch (error) {
    log.error({ err: error }, "the supervisor could not be closed");
    return billing();
  } finally {
    over.abort();
  }
}

function answerOf(dependencies: RuntimesDependencies, adopted: Adopted): RuntimeAnswer {
  if (!adopted.ok) return adopted;
  const { lease } = adopted;
  return { ok: true, runtime: viewOf(lease, viewing(dependencies, lease.name)) };
}

function refused(problem: string): RuntimeAnswer {
  return { ok: false, problem };
}
