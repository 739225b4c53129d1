import type { CanaryStore } from "../canary-store.ts";
import type { Connection } from "./connection.ts";

/** The canary's rows, behind the worker. */
export function canaryStore(call: Connection["call"]): CanaryStore {
  return {
    load: (wanted) => call({ name: "load_canary", argument: wanted }),
    async reserve(probe) {
      await call({ name: "save_canary_probe", argument: probe });
    },
    async settle(probe) {
      await call({ name: "save_canary_probe", argument: probe });
    },
    async saveRound(rows) {
      await call({ name: "save_canary_round", argument: rows });
    },
    async saveEvents(events) {
      await call({ name: "save_canary_events", argument: events });
    },
    async noteTold(ids, at) {
      await call({ name: "note_canary_told", argument: { ids, at } });
    },
    listRounds: (filter) => call({ name: "list_canary_rounds", argument: filter }),
    listProbes: (filter) => call({ name: "list_canary_probes", argument: filter }),
    listSuspensions: (filter) => call({ name: "list_suspensions", argument: filter }),
    observed: (since) => call({ name: "observed_suspensions", argument: since }),
    async prune(before) {
      await call({ name: "prune_canary", argument: before });
    },
  };
}
