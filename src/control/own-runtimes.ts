import { hostname } from "node:os";

import type { Env } from "../config/paths.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { clockReader } from "../runtimes/clocks.ts";
import { createCommands } from "../runtimes/create-commands.ts";
import { systemPause } from "../runtimes/pause.ts";
import { runtimeSettings } from "../runtimes/policy/settings.ts";
import type { RuntimesDependencies } from "../runtimes/runtimes-dependencies.ts";
import { createRuntimes, type Runtimes } from "../runtimes/runtimes.ts";
import { freePort } from "../runtimes/tunnel/free-port.ts";
import { bootId } from "../store/process-identity.ts";
import { acquireServeLock, readServeLock } from "../store/serve-lock.ts";
import type { Log } from "../telemetry/log.ts";

export interface OwnRuntimesRequest extends Pick<
  RuntimesDependencies,
  "state_dir" | "version" | "fetch" | "newId" | "registry" | "tell"
> {
  /** The config in force, asked anew each time. */
  readonly config: () => Config;
  readonly env: Env;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Rented GPUs on this machine's own processes, files and clocks. */
export function createOwnRuntimes(request: OwnRuntimesRequest): Runtimes {
  const { config, clock, log } = request;
  return createRuntimes({
    ...request,
    settings: () => runtimeSettings(config()),
    routing: () => config().routing,
    readClocks: clockReader(clock),
    pause: systemPause,
    commands: createCommands({ log, clock }),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    process: { pid: process.pid, host: hostname(), boot_id: bootId() },
    takeLock: acquireServeLock,
    lockHolder: readServeLock,
    freePort,
  });
}
