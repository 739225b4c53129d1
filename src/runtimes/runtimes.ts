import { type Adopted, adoptedName, adoptMachine, type AdoptRequest } from "./adopt.ts";
import { leasesOf, type RuntimeParts } from "./assemble.ts";
import { askAgain } from "./attach/ask-again.ts";
import { readServerKey } from "./attach/server-key.ts";
import { createMachineCalls } from "./bootstrap/machine.ts";
import { CLOSED } from "./gate.ts";
import { isBilling, type Lease } from "./lease.ts";
import { closeWithin, createLife } from "./life.ts";
import { unitsUsed } from "./policy/deadlines.ts";
import { billingNotice } from "./policy/words.ts";
import type { RuntimesDependencies } from "./runtimes-dependencies.ts";
import { findShown, listShown, viewing } from "./shown.ts";
import { faultText } from "./up/step.ts";
import { type Up, up } from "./up/up.ts";
import type { UpWish } from "./up/wish.ts";
import { type RuntimeView, viewOf } from "./views.ts";

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
    up: (wish) =>
      answering(async () => answerOf(dependencies, await up(dependencies, begin, wish))),
    adopt: ({ endpoint, name }) =>
      answering(async () => {
        const made = await begin();
        const request = { endpoint, name: name ?? adoptedName(endpoint) };
        const answer = await made.gate.pass(async () => {
          const { lock, ...adopted } = await adoptMachine(dependencies, made, request);
          if (adopted.ok && lock !== undefined) made.supervisor.watch(adopted.lease, lock);
          return answerOf(dependencies, adopted);
        });
        return answer ?? refused(CLOSED);
      }),
    async down(name) {
      const view = await findShown(dependencies, life.parts(), name);
      if (view === null || (view.phase !== "unreadable" && !isBilling(view.phase))) return null;
      return down(dependencies, await begin(), view);
    },
    list: () => listShown(dependencies, life.parts()),
    find: (name) => findShown(dependencies, life.parts(), name),
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

async function down(
  dependencies: RuntimesDependencies,
  { supervisor }: RuntimeParts,
  view: RuntimeView,
): Promise<RuntimeAnswer> {
  const { name, watched_by } = view;
  const isOurs = () => supervisor.leases().some((lease) => lease.name === name);
  // Another process may have written its lease a moment ago, and answers for it no more.
  if (!isOurs()) await supervisor.tick();
  if (!isOurs()) {
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
  const secrets = key === null ? [] : [key];
  const report = await askAgain(driver, lease, () => machine.readLogs(lines, secrets));
  if (report.kind === "ok") return { ok: true, logs: report.logs };
  return { ok: false, problem: faultText(report.fault) };
}

function answerOf(dependencies: RuntimesDependencies, made: Up | Adopted): RuntimeAnswer {
  if (!made.ok) return made;
  const { lease } = made;
  return { ok: true, runtime: viewOf(lease, viewing(dependencies, lease.name)) };
}

function refused(problem: string): RuntimeAnswer {
  return { ok: false, problem };
}
