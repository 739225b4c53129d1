import type { Env } from "../config/paths.ts";
import type { Routing } from "../config/schema-routing.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { Log } from "../telemetry/log.ts";
import type { Fetch } from "../upstream/fetch.ts";
import type { InstanceRegistry } from "../upstream/instance.ts";
import type { Commands } from "./command.ts";
import type { LeaseLock } from "./leases/open-leases.ts";
import type { Pause } from "./pause.ts";
import type { RuntimeSettings } from "./policy/settings.ts";
import type { ClockReading } from "./policy/steady-time.ts";

/** What happens to rented GPUs that a person should know. */
export interface RuntimeNotice {
  /** Whether something may cost money that nobody means to spend. */
  readonly is_urgent: boolean;
  readonly text: string;
}

export interface RuntimesDependencies {
  readonly state_dir: string;
  /** As the config has them now; which `colab` is called is fixed with the first use. */
  readonly settings: () => RuntimeSettings;
  readonly routing: () => Routing;
  readonly env: Env;
  readonly version: string;
  readonly clock: Clock;
  readonly readClocks: () => ClockReading;
  readonly random: Random;
  readonly pause: Pause;
  readonly commands: Commands;
  readonly fetch: Fetch;
  readonly newId: () => string;
  /** Cryptographically strong. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly process: {
    readonly pid: number;
    readonly host: string;
    readonly boot_id: string | null;
  };
  readonly takeLock: (path: string) => LeaseLock;
  /** Who holds such a lock, in whatever process; null for nobody that lives. */
  readonly lockHolder: (path: string) => { readonly pid: number } | null;
  readonly registry: Pick<InstanceRegistry, "add" | "remove" | "get">;
  readonly tell: (notice: RuntimeNotice) => void;
  readonly log: Log;
  /** A port of the loopback that is free now. */
  readonly freePort: () => number;
}
