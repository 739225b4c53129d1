import { describe, expect, test } from "bun:test";

import type { Trip } from "../../src/health/breaker.ts";
import type { StoredExclusion, StoredState } from "../../src/store/store.ts";
import { openTestStore } from "../support/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

const exclusion = (changes: Partial<StoredExclusion> = {}): StoredExclusion => ({
  id: "e1",
  scope: "target",
  subject: "nim:a",
  reason: 'quote " and 🧭',
  created_at: 1000,
  until_at: null,
  ...changes,
});

const trip = (changes: Partial<Trip> = {}): Trip => ({
  scope: "target",
  subject: "nim:a",
  cause: "failure_rate",
  detail: "5 failures in a row",
  opened_at: 1000,
  until_at: 61_000,
  reopened: 0,
  ...changes,
});

describe.each([{ where: "memory" }, { where: "a file" }])("in $where", ({ where }) => {
  const open = async () => {
    const folder = tempDir();
    const path = where === "memory" ? ":memory:" : folder.file("s/veriroute.db");
    const store = await openTestStore(path);
    return Object.assign(store, {
      async [Symbol.asyncDispose]() {
        await store.close();
        folder[Symbol.dispose]();
      },
    });
  };

  test("exclusions are part of the state, and every change is told", async () => {
    await using store = await open();
    const told: StoredState["exclusions"][] = [];
    store.onStateChange(({ exclusions }) => told.push(exclusions));
    const [one, two] = [exclusion(), exclusion({ id: "e2", scope: "provider", subject: "nim" })];

    await store.addExclusion(one);
    await store.addExclusion(two);
    const removed = [await store.removeExclusion("e1"), await store.removeExclusion("e1")];

    expect(told).toEqual([[one], [one, two], [two]]);
    expect(store.state().exclusions).toEqual([two]);
    expect(removed).toEqual([true, false]);
  });

  test("an exclusion replaces one of the same subject, and clears away those that ended", async () => {
    await using store = await open();
    await store.addExclusion(exclusion({ id: "old", subject: "x", until_at: 1500 }));
    await store.addExclusion(exclusion({ id: "first" }));

    const last = exclusion({ id: "second", created_at: 1500 });
    await store.addExclusion(last);

    expect(store.state().exclusions).toEqual([last]);
  });

  test("a trip is kept once for each scope and cause, newest values, until it is dropped", async () => {
    await using store = await open();
    const signature = trip({ cause: "signature:empty_200" });
    await store.saveTrip(trip());
    await store.saveTrip(signature);
    const again = trip({ reopened: 1, until_at: 121_000 });
    await store.saveTrip(again);

    expect(await store.listTrips()).toEqual([again, signature]);
    await store.dropTrip(again);
    await store.dropTrip(again);

    expect(await store.listTrips()).toEqual([signature]);
  });
});

test("exclusions and trips are there after a restart", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  const first = await openTestStore(path);
  await first.addExclusion(exclusion());
  await first.saveTrip(trip());
  await first.close();

  await using second = await openTestStore(path);

  expect(second.state().exclusions).toEqual([exclusion()]);
  expect(await second.listTrips()).toEqual([trip()]);
});
