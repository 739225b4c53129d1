import { describe, expect, test } from "bun:test";

import { createTripKeeper } from "../../../src/control/trip-keeper.ts";
import type { Trip } from "../../../src/health/breaker.ts";
import type { StoredState, TripId } from "../../../src/store/store.ts";
import { storedState } from "../../support/stored-state.ts";

const TRIP: Trip = {
  scope: "target",
  subject: "a:m",
  cause: "signature:empty_200",
  detail: "",
  opened_at: 1,
  until_at: 2,
  reopened: 0,
};

function keeperOf(saved: readonly Trip[] = []) {
  const listeners: ((state: StoredState) => void)[] = [];
  const dropped: (readonly TripId[])[] = [];
  const orders: PromiseWithResolvers<void>[] = [];
  const order = () => {
    const one = Promise.withResolvers<void>();
    orders.push(one);
    return one.promise;
  };
  const keeper = createTripKeeper({
    store: {
      saveTrip: order,
      dropTrip: order,
      onStateChange: (listener) => void listeners.push(listener),
    },
    saved,
    log: { warn: () => undefined },
    onDropped: (trips) => void dropped.push(trips),
  });
  return {
    keeper,
    dropped,
    /** The store says that the n-th order has been carried out. */
    done: async (n: number) => {
      orders[n]?.resolve();
      await Promise.resolve();
      await Promise.resolve();
    },
    tell: (trips: readonly Trip[]) => {
      for (const listener of listeners) listener(storedState({ trips }));
    },
  };
}

describe("a trip that the store lacks", () => {
  test("was taken away by another process if the store had it", async () => {
    const { keeper, dropped, done, tell } = keeperOf();
    keeper.save(TRIP);
    await done(0);

    tell([]);
    tell([]);

    expect(dropped).toEqual([[TRIP]]);
  });

  test("was taken away if it was there at the start", () => {
    const { dropped, tell } = keeperOf([TRIP]);

    tell([]);

    expect(dropped).toEqual([[TRIP]]);
  });

  test("is on its way while nobody has said that it is written", () => {
    const { keeper, dropped, tell } = keeperOf();
    keeper.save(TRIP);

    tell([]);

    expect(dropped).toEqual([]);
  });

  test("is on its way again while a later order has not been carried out", async () => {
    const { keeper, dropped, done, tell } = keeperOf();
    keeper.save(TRIP);
    keeper.save({ ...TRIP, reopened: 1 });
    await done(0);

    tell([]);

    expect(dropped).toEqual([]);
  });

  test("is gone if we took it away ourselves", async () => {
    const { keeper, dropped, done, tell } = keeperOf();
    keeper.save(TRIP);
    await done(0);
    keeper.drop(TRIP);

    tell([]);

    expect(dropped).toEqual([]);
  });
});
