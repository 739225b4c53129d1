import { hostname } from "node:os";

import { loadConfig } from "../../config/layers.ts";
import type { AdoptDependencies } from "../../runtimes/adopt.ts";
import { clockReader } from "../../runtimes/clocks.ts";
import type { ColabDriver } from "../../runtimes/colab/driver.ts";
import type { Commands } from "../../runtimes/command.ts";
import { createCommands } from "../../runtimes/create-commands.ts";
import { type Leases, openLeases } from "../../runtimes/leases/open-leases.ts";
import { leaseDirectory, leaseLockFile, ownDriver } from "../../runtimes/places.ts";
import { type RuntimeSettings, runtimeSettings } from "../../runtimes/policy/settings.ts";
import { bootId } from "../../store/process-identity.ts";
import { acquireServeLock, readServeLock } from "../../store/serve-lock.ts";
import { createLog, type Log } from "../../telemetry/log.ts";
import { readConfig } from "../setup/read-config.ts";
import type { Shell } from "../terminal/shell.ts";
import { VERSION } from "../version.ts";

/** The runtimes of this state directory as any process sees them, with a server or without. */
export interface OwnRuntimes {
  readonly state_dir: string;
  readonly settings: RuntimeSettings;
  readonly leases: Leases;
  readonly driver: ColabDriver;
  readonly commands: Commands;
  readonly log: Log;
  /** The process that answers for a runtime; null for none that lives. */
  readonly watcherOf: (name: string) => number | null;
  readonly making: AdoptDependencies;
}

export type OwnRead =
  | { readonly ok: true; readonly own: OwnRuntimes }
  | { readonly ok: false; readonly problem: string };

/**
 * Works with a config that has problems, by the defaults: whoever wants to see or end what costs money
 * shall not have to repair it first.
 */
export function openOwnRuntimes(shell: Shell, flag: string | undefined): OwnRead {
  const read = readConfig(shell, flag);
  if (!read.ok) return read;
  const { result, paths } = read;
  const { clock, env } = shell;
  if (!result.ok) shell.complain(`veriroute runtimes: ${LEFT_OUT}`);
  const settings = result.ok ? runtimeSettings(result.config) : defaultSettings();
  const log = createLog({ level: "silent", destination: { write: () => undefined } });
  const commands = createCommands({ log, clock });
  const { state_dir } = paths;
  const driver = ownDriver({ state_dir, env, settings, run: commands.run, clock });
  const takeLock = acquireServeLock;
  const leases = openLeases({ directory: leaseDirectory(state_dir), clock, takeLock });
  const making = {
    clock,
    settings: () => settings,
    readClocks: clockReader(clock),
    newId: () => Bun.randomUUIDv7(),
    version: VERSION,
    process: { pid: process.pid, host: hostname(), boot_id: bootId() },
  };
  const watcherOf = (name: string) => readServeLock(leaseLockFile(state_dir, name))?.pid ?? null;
  return {
    ok: true,
    own: { state_dir, settings, leases, driver, commands, log, watcherOf, making },
  };
}

const LEFT_OUT = "the config has problems and is left out; `veriroute check` lists them";

function defaultSettings(): RuntimeSettings {
  const result = loadConfig({ path: null, env: {}, overrides: {}, keyScopes: new Set() });
  if (!result.ok) throw new Error("the defaults make no config");
  return runtimeSettings(result.config);
}
