import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { ColabDriver } from "../colab/driver.ts";
import type { ColabFault } from "../colab/faults.ts";
import { redactText } from "../redact.ts";
import type { BakePlan } from "./bake-plan.ts";
import {
  bakeCell,
  bakedCell,
  beatCell,
  type Cell,
  type Heartbeat,
  launchCell,
  logsCell,
  pollCell,
  probeCell,
  readyMarker,
  watchdogCell,
  type WatchdogLimits,
} from "./cells.ts";
import { secretsFile } from "./secrets-file.ts";
import type { ServerPlan } from "./server-plan.ts";
import { VM_BAKED_PREFIX, VM_SECRETS_FILE } from "./vm-paths.ts";

export interface MachineDependencies {
  readonly driver: Pick<ColabDriver, "execute" | "upload" | "download">;
  /** The runtime's session. */
  readonly name: string;
  /** A text that was never used before: markers carry one. */
  readonly nonce: () => string;
}

export interface Failed {
  readonly kind: "failed";
  readonly fault: ColabFault;
}

/** What can be asked of a machine while it is ours. Each call is one `exec` or `upload`. */
export interface Machine {
  readonly probe: () => Promise<({ readonly kind: "ok" } & Probe) | Failed>;
  /** `ok` only once it has been seen with this heartbeat. */
  readonly installWatchdog: (
    beat: Heartbeat,
    limits: WatchdogLimits,
  ) => Promise<{ readonly kind: "ok" } | Failed>;
  /** A sign of life for the watchdog and for Colab, which ends machines whose kernel is idle. */
  readonly sendHeartbeat: (beat: Heartbeat) => Promise<({ readonly kind: "ok" } & Beat) | Failed>;
  readonly sendSecrets: (
    secrets: Readonly<Record<string, string>>,
  ) => Promise<{ readonly kind: "ok" } | Failed>;
  /** Starts the server and returns at once. `launch` is this start's own text. */
  readonly launch: (launch: string, plan: ServerPlan) => Promise<{ readonly kind: "ok" } | Failed>;
  /** Starts to prepare, and returns at once. */
  readonly bake: (launch: string, plan: BakePlan) => Promise<{ readonly kind: "ok" } | Failed>;
  readonly poll: (launch: string) => Promise<PollReport>;
  /** What was prepared by that start, which is ready. */
  readonly readBaked: (
    launch: string,
  ) => Promise<{ readonly kind: "ok"; readonly baked: BakedOnMachine } | Failed>;
  readonly sendFile: (
    path: string,
    content: Uint8Array,
  ) => Promise<{ readonly kind: "ok" } | Failed>;
  readonly fetchFile: (
    path: string,
  ) => Promise<{ readonly kind: "ok"; readonly content: Uint8Array } | Failed>;
  /** The last lines of each log, without `secrets`. */
  readonly readLogs: (
    lines: number,
    secrets?: readonly string[],
  ) => Promise<{ readonly kind: "ok"; readonly logs: Logs } | Failed>;
}

export type PollReport =
  | { readonly kind: "ready" }
  /** What the launcher is at. */
  | { readonly kind: "pending"; readonly phase: string }
  /** The server will not come. `detail` says why in one line, `tail` is its log. */
  | { readonly kind: "dead"; readonly detail: string; readonly tail: readonly string[] }
  | Failed;

export const Probe = Type.Object({
  gpus: Type.Array(
    Type.Object({
      name: Type.String(),
      memory_mib: Type.Integer(),
      compute_capability: Type.String(),
    }),
  ),
  python: Type.String(),
  disk_free_gib: Type.Number(),
  /** Whether a watchdog could do anything there. */
  can_release: Type.Boolean(),
});
export type Probe = Static<typeof Probe>;

const Beat = Type.Object({
  watchdog_alive: Type.Boolean(),
  /** Why it is releasing the machine; null while it is not. */
  releasing: Type.Union([Type.String(), Type.Null()]),
  /** What the launcher says; null before the launch. */
  phase: Type.Union([Type.String(), Type.Null()]),
});
type Beat = Static<typeof Beat>;

const Status = Type.Object({
  phase: Type.String(),
  detail: Type.String(),
  tail: Type.Array(Type.String()),
});

const BakedOnMachine = Type.Object({
  /** Such as `3.13`. */
  python: Type.String({ pattern: "^\\d+\\.\\d+$" }),
  /** `name==version`. */
  packages: Type.Array(Type.String()),
  wheels: Type.Array(Type.String()),
  parts: Type.Array(
    Type.Object({
      path: Type.String({ pattern: `^${VM_BAKED_PREFIX}\\d{3}$` }),
      bytes: Type.Integer({ minimum: 1 }),
      sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
    }),
    { minItems: 1, maxItems: 999 },
  ),
});
type BakedOnMachine = Static<typeof BakedOnMachine>;

const Logs = Type.Record(Type.String(), Type.Array(Type.String()));
type Logs = Static<typeof Logs>;

/** A cell that only looks and writes small files. */
const SHORT_MS = 60_000;

export function createMachineCalls(dependencies: MachineDependencies): Machine {
  const { driver, name, nonce } = dependencies;
  const cells = cellCalls(dependencies);
  const { ask, tell } = cells;

  return {
    ...bakeCalls(dependencies, cells),
    async probe() {
      const asked = await ask(probeCell({ nonce: nonce() }), Probe);
      return asked.kind === "failed" ? asked : { kind: "ok", ...asked.found };
    },
    installWatchdog: (beat, limits) => tell(watchdogCell({ nonce: nonce() }, { beat, limits })),
    async sendHeartbeat(beat) {
      const asked = await ask(beatCell({ nonce: nonce() }, beat), Beat);
      return asked.kind === "failed" ? asked : { kind: "ok", ...asked.found };
    },
    async sendSecrets(secrets) {
      const content = secretsFile(secrets);
      const report = await driver.upload({ name, content, path: VM_SECRETS_FILE });
      return report.kind === "failed" ? report : { kind: "ok" };
    },
    launch: (launch, plan) => tell(launchCell({ nonce: nonce() }, { launch, plan })),
    async poll(launch) {
      const asked = await ask(pollCell({ nonce: nonce() }, launch), Status);
      if (asked.kind === "failed") return asked;
      const { phase, detail, tail } = asked.found;
      if (phase === "ready" && asked.stdout.includes(readyMarker(launch))) return { kind: "ready" };
      if (phase === "failed" || phase === "unknown") return { kind: "dead", detail, tail };
      return { kind: "pending", phase };
    },
    async readLogs(lines, secrets = []) {
      const asked = await ask(logsCell({ nonce: nonce() }, lines), Logs);
      if (asked.kind === "failed") return asked;
      const shown = Object.entries(asked.found).map(
        ([file, text]) => [file, text.map((line) => redactText(line, secrets))] as const,
      );
      return { kind: "ok", logs: Object.fromEntries(shown) };
    },
  };
}

function cellCalls({ driver, name }: MachineDependencies): CellCalls {
  const run = ({ script, marker }: Cell) =>
    driver.execute({ name, script, marker, timeout_ms: SHORT_MS });
  const ask = async <T extends TSchema>(cell: Cell, schema: T): Promise<Asked<Static<T>>> => {
    const report = await run(cell);
    if (report.kind === "failed") return { kind: "failed", fault: report.fault };
    const found = foundAfter(report.stdout, cell.marker);
    return Value.Check(schema, found)
      ? { kind: "ok", found, stdout: report.stdout }
      : { kind: "failed", fault: unreadable(name) };
  };
  const tell = async (cell: Cell) => {
    const report = await run(cell);
    return report.kind === "failed" ? failed(report.fault) : ({ kind: "ok" } as const);
  };
  return { ask, tell };
}

/** What concerns things that are prepared on one machine for others. */
function bakeCalls(
  { driver, name, nonce }: MachineDependencies,
  { ask, tell }: CellCalls,
): Pick<Machine, "bake" | "readBaked" | "sendFile" | "fetchFile"> {
  return {
    bake: (launch, plan) => tell(bakeCell({ nonce: nonce() }, { launch, plan })),
    async readBaked(launch) {
      const asked = await ask(bakedCell({ nonce: nonce() }, launch), BakedOnMachine);
      return asked.kind === "failed" ? asked : { kind: "ok", baked: asked.found };
    },
    async sendFile(path, content) {
      const report = await driver.upload({ name, content, path });
      return report.kind === "failed" ? report : { kind: "ok" };
    },
    async fetchFile(path) {
      const report = await driver.download({ name, path });
      return report.kind === "failed" ? report : { kind: "ok", content: report.content };
    },
  };
}

interface CellCalls {
  readonly ask: <T extends TSchema>(cell: Cell, schema: T) => Promise<Asked<Static<T>>>;
  readonly tell: (cell: Cell) => Promise<{ readonly kind: "ok" } | Failed>;
}

type Asked<T> = { readonly kind: "ok"; readonly found: T; readonly stdout: string } | Failed;

/** The JSON behind the marker, on its line. */
function foundAfter(stdout: string, marker: string): unknown {
  const [line = ""] = (stdout.split(marker)[1] ?? "").split("\n");
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function failed(fault: ColabFault): Failed {
  return { kind: "failed", fault };
}

function unreadable(name: string): ColabFault {
  const message = `what \`${name}\` answered could not be read; \`veriroute runtimes logs ${name}\` may say more`;
  return { kind: "unreadable", message, detail: "" };
}
