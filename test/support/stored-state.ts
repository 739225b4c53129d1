import type { StoredState } from "../../src/store/store.ts";

/** The state of a store that nothing was put into; `changes` says what the test is about. */
export function storedState(changes: Partial<StoredState> = {}): StoredState {
  return {
    keys: [],
    keys_lost: false,
    overrides: {},
    exclusions: [],
    profiles: {},
    allowlist: [],
    mutes: [],
    trips: [],
    ...changes,
  };
}
