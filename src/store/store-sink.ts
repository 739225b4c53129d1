import type { Sink } from "../telemetry/events.ts";
import type { Store } from "./store.ts";

/** Keeps the decision of every finished request. */
export function createStoreSink(store: Pick<Store, "recordDecision">): Sink {
  return {
    name: "store",
    record: (event) => {
      if (event.kind === "request") store.recordDecision(event.decision, "final");
    },
  };
}
