import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { createCanary } from "../../../../src/control/canary/canary.ts";
import { StoreError } from "../../../../src/store/store-error.ts";
import { configOf } from "../../config/load.ts";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const unasked = () => {
  throw new Error("nothing is asked before the first round");
};

const NO_STORE = {
  reserve: unasked,
  settle: unasked,
  saveRound: unasked,
  saveEvents: unasked,
  noteTold: unasked,
  listRounds: unasked,
  listProbes: unasked,
  listSuspensions: unasked,
  observed: unasked,
  prune: unasked,
};

/** Modules that are loaded lazily are there after it. */
const turnOfTheLoop = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("a state that cannot be read is read again until it can be, and the canary is on then", async () => {
  const lines: unknown[] = [];
  let failures = 3;
  const config = configOf(`[canary]\nenabled = true\nmodels = ["sim:echo"]\nmax_usd_per_day = 1\n`);
  const tell = (...line: unknown[]) => void lines.push(line.at(-1));
  const canary = createCanary({
    clock: { now: () => Date.now(), elapsed: () => performance.now() },
    store: {
      canary: {
        ...NO_STORE,
        load: async () => {
          if (failures-- > 0) throw new StoreError("disk", "the disk does not answer");
          return { fleet: null, rounds: [], lifts: [], untold: [], charges: [] };
        },
      },
    },
    config: () => config,
    log: { info: tell, warn: tell, error: tell },
    board: { put: () => undefined, list: () => [] },
    asked: { follow: () => undefined },
    breakers: { breakers: () => [], tryOut: () => false },
    events: { register: () => () => undefined },
    random: () => 0.5,
    registry: { get: unasked, list: unasked },
    world: unasked,
    catalog: { cardOf: unasked },
    exclusions: unasked,
    fetch: unasked,
    identity: { version: "test", id: "this" },
    newId: unasked,
    notify: unasked,
  });

  await canary.start();
  const before = { status: canary.status(), waits: canary.isWaiting() };
  for (let seconds = 0; seconds < 90; seconds += 30) {
    jest.advanceTimersByTime(30_000);
    await turnOfTheLoop();
  }

  expect(before).toEqual({ status: null, waits: true });
  expect(canary.isWaiting()).toBe(false);
  expect(canary.status()).toMatchObject({ mode: "observe" });
  expect(lines).toEqual(["the canary waits for its state", "the canary is on"]);
  await canary.stop();
});
