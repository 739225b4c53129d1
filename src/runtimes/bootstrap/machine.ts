import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import type { ColabDriver } from "../colab/driver.ts";
import type { ColabFault } from "../colab/faults.ts";
import { redactText } from "../redact.ts";
import {
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
import { VM_SECRETS_FILE } from "./vm-paths.ts";

export interface MachineDependencies {
  readonly driver: Pick<ColabDriver, "execute" | "upload">;
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
  readonly poll: (launch: string) => Promise<PollReport>;
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

const Logs = Type.Record(Type.String(), Type.Array(Type.String()));
type Logs = Static<typeof Logs>;

/** A cell that only looks and writes small files. */
const SHORT_MS = 60_000;

export function createMachineCalls(dependencies: MachineDependencies): Machine {
  const { driver, name, nonce } = dependencies;
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

  return {
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
