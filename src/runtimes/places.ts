import { join } from "node:path";

import type { Env } from "../config/paths.ts";
import type { Clock } from "../lib/clock.ts";
import { createColabDriver } from "./colab/create-driver.ts";
import type { ColabDriver } from "./colab/driver.ts";
import type { RunCommand } from "./command.ts";
import type { RuntimeSettings } from "./policy/settings.ts";

/** Where lease files are. */
export function leaseDirectory(state_dir: string): string {
  return join(state_dir, "runtimes");
}

/** Where what `bake` has prepared is. */
export function bakedDirectory(state_dir: string): string {
  return join(state_dir, "baked");
}

/** Where the plans that have come up are. */
export function plansDirectory(state_dir: string): string {
  return join(state_dir, "plans");
}

/** Held by whoever answers for the runtime of that name. */
export function leaseLockFile(state_dir: string, name: string): string {
  return join(leaseDirectory(state_dir), `${name}.lock`);
}

export interface OwnDriverRequest {
  readonly state_dir: string;
  readonly env: Env;
  readonly settings: Pick<RuntimeSettings, "colab">;
  readonly run: RunCommand;
  readonly clock: Clock;
}

/** The driver on this state directory and this user's login. */
export function ownDriver({ state_dir, env, settings, run, clock }: OwnDriverRequest): ColabDriver {
  return createColabDriver({
    run,
    clock,
    env,
    root: join(state_dir, "colab"),
    userHome: env["HOME"] || null,
    program: settings.colab.command,
    auth: settings.colab.auth,
  });
}
