import type { Balances } from "../control/balances.ts";
import type { Canary } from "../control/canary/canary.ts";
import type { Catalog } from "../control/catalog.ts";
import type { ExclusionList } from "../control/exclusion-list.ts";
import type { Inventory } from "../control/inventory.ts";
import type { LiveConfig } from "../control/live-config.ts";
import type { Notifications } from "../control/notifications.ts";
import type { Preferences } from "../control/preferences.ts";
import type { Clock } from "../lib/clock.ts";
import type { Relay } from "../relay/client-request.ts";
import type { ListedModel } from "../routing/models-list.ts";
import type { Runtimes } from "../runtimes/runtimes.ts";
import type { Store } from "../store/store.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { EventRing } from "../telemetry/ring.ts";

export interface Readiness {
  readonly status: "ready" | "starting" | "stopping";
  /** Parts that work only in part, such as `store`. */
  readonly degraded: readonly string[];
}

/** An exception nobody expected, for the log: never the request's body or headers. */
export interface Unexpected {
  readonly error: unknown;
  readonly request_id: string;
  readonly method: string;
  /** The path without its query. */
  readonly path: string;
}

export interface ApiDependencies {
  readonly version: string;
  /** Names this router in `via`, to notice requests that come back. */
  readonly instance_id: string;
  readonly clock: Clock;
  readonly config: LiveConfig;
  readonly relay: Relay;
  readonly runtimes: Pick<Runtimes, "list" | "find" | "up" | "down" | "adopt" | "logs">;
  readonly store: Store;
  readonly inventory: Inventory;
  readonly catalog: Pick<Catalog, "rows">;
  readonly balances: Pick<Balances, "views" | "probeNow">;
  readonly notifications: Pick<Notifications, "recent" | "receivers" | "test">;
  readonly exclusions: Pick<ExclusionList, "list">;
  readonly canary: Pick<Canary, "status" | "isWaiting" | "suspensions" | "run" | "dryRun" | "lift">;
  readonly preferences: Preferences;
  /** What clients may ask for now, in the order it is listed. */
  readonly models: () => readonly ListedModel[];
  readonly events: Pick<EventRing, "newest">;
  readonly metrics: Pick<Metrics, "content_type" | "text">;
  readonly readiness: () => Readiness;
  readonly newId: () => string;
  readonly onUnexpected: (unexpected: Unexpected) => void;
}
