import type { EventHub } from "../../telemetry/events.ts";
import type { Log } from "../../telemetry/log.ts";
import { createDataPlane, type DataPlane, type DataPlaneDependencies } from "../data-plane.ts";
import type { ExclusionList } from "../exclusion-list.ts";
import { createAskedTargets } from "./asked-targets.ts";
import { type Canary, createCanary } from "./canary.ts";
import type { LiveCanaryDependencies } from "./live/live-canary.ts";
import { createSuspensionBoard } from "./suspension-board.ts";

type WatchedPlaneDependencies = Omit<
  DataPlaneDependencies,
  "suspensions" | "shutHosts" | "isAsked"
> &
  Pick<LiveCanaryDependencies, "store"> & {
    readonly exclusions: ExclusionList;
    readonly events: EventHub;
    readonly log: Pick<Log, "info" | "warn" | "error">;
  };

export interface WatchedPlane {
  readonly plane: DataPlane;
  readonly canary: Canary;
}

/** The data plane, and the canary that tells it whom to pass over. */
export function createWatchedPlane(dependencies: WatchedPlaneDependencies): WatchedPlane {
  const { exclusions } = dependencies;
  const board = createSuspensionBoard(dependencies);
  const asked = createAskedTargets();
  const plane = createDataPlane({
    ...dependencies,
    suspensions: board.targets,
    shutHosts: board.hosts,
    isAsked: asked.has,
  });
  const { registry, world, catalog, breakers } = plane;
  const canary = createCanary({
    ...dependencies,
    registry,
    world,
    catalog,
    board,
    asked,
    breakers,
    exclusions: () => exclusions.index(),
  });
  return { plane, canary };
}
