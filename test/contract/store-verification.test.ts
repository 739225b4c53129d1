import { describe, expect, test } from "bun:test";

import type { Mute } from "../../src/health/trips/mutes.ts";
import type { StoredVerification, VerificationFilter } from "../../src/store/store.ts";
import { failureOf, openTestStore } from "../support/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

const HOUR = 3_600_000;

const row = (changes: Partial<StoredVerification> = {}): StoredVerification => ({
  at: 1000,
  decision_id: "d1",
  n: 1,
  instance: "a",
  target: "a:m",
  kind: "structural",
  verdict: "mangled",
  signature: "mojibake",
  detail: "2 layers",
  model_attributable: 1,
  trips: true,
  scope: "provider",
  applied_at: 1001,
  ...changes,
});

const mute = (changes: Partial<Mute> = {}): Mute => ({
  id: "m1",
  scope: "target",
  subject: "a:m",
  signature: "empty_200",
  reason: "known",
  created_at: 1000,
  until_at: null,
  ...changes,
});

describe("verdicts", () => {
  test("come back as they were recorded, newest first, page by page", async () => {
    await using store = await openTestStore();
    const rows = [
      row(),
      row({ at: 2000, signature: null, detail: null, scope: null, trips: false, applied_at: null }),
      row({ at: 1500, model_attributable: 0, n: 2 }),
    ];
    for (const one of rows) store.recordVerification(one);

    const first = await store.listVerifications({ limit: 2 });
    const rest = await store.listVerifications({ limit: 2, cursor: first.next ?? "" });

    expect([...first.items, ...rest.items]).toEqual(rows.toReversed());
    expect(rest.next).toBeNull();
  });

  test.each<{ filter: Partial<VerificationFilter>; at: readonly number[] }>([
    { filter: { decision_id: "d2" }, at: [2] },
    { filter: { instance: "a" }, at: [3, 1] },
    { filter: { target: "b:m" }, at: [2] },
    { filter: { verdict: "malformed" }, at: [3] },
    { filter: { signature: "mojibake", instance: "a" }, at: [1] },
    { filter: { model_attributable: 0 }, at: [2] },
    { filter: { from: 2 }, at: [3, 2] },
    { filter: { from: 2, to: 3 }, at: [2] },
    { filter: { instance: "c" }, at: [] },
  ])("are found by $filter", async ({ filter, at }) => {
    await using store = await openTestStore();
    store.recordVerification(row({ at: 1 }));
    store.recordVerification(
      row({ at: 2, decision_id: "d2", instance: "b", target: "b:m", model_attributable: 0 }),
    );
    store.recordVerification(row({ at: 3, verdict: "malformed", signature: "empty_200" }));

    const { items } = await store.listVerifications({ limit: 9, ...filter });

    expect(items.map((one) => one.at)).toEqual([...at]);
  });

  test("a cursor of another list is refused", async () => {
    await using store = await openTestStore();

    expect(await failureOf(store.listVerifications({ limit: 1, cursor: "MTpk" }))).toMatchObject({
      kind: "bad_cursor",
    });
  });

  test("are counted by instance and hour where they are mangled and someone's fault", async () => {
    await using store = await openTestStore();
    for (const at of [0, 10 * HOUR, 10 * HOUR + 1, 11 * HOUR])
      store.recordVerification(row({ at }));
    store.recordVerification(row({ at: 11 * HOUR, instance: "b" }));
    store.recordVerification(row({ at: 11 * HOUR, model_attributable: 0 }));
    store.recordVerification(row({ at: 11 * HOUR, verdict: "malformed" }));

    expect(await store.countMangled(HOUR)).toEqual([
      { instance: "a", hour: 10, count: 2 },
      { instance: "a", hour: 11, count: 1 },
      { instance: "b", hour: 11, count: 1 },
    ]);
  });

  test("go by age, decisions or not", async () => {
    await using store = await openTestStore();
    for (let at = 0; at < 1200; at++) store.recordVerification(row({ at }));

    await store.prune({ before: 1100, max_size_bytes: 1e9 });

    expect((await store.listVerifications({ limit: 500 })).items).toHaveLength(100);
  });
});

const tally = (subject: string, saved_at: number, record = "{}") =>
  ({ scope: "target", subject, saved_at, record }) as const;

describe("baselines", () => {
  test("are replaced by subject", async () => {
    await using store = await openTestStore();
    await store.saveTallies([tally("a:m", 1), tally("b:m", 1)]);
    await store.saveTallies([tally("a:m", 2, '{"x":1}')]);

    expect(await store.listTallies()).toEqual([tally("b:m", 1), tally("a:m", 2, '{"x":1}')]);
  });

  test("that nobody has written for two days go with the next writing", async () => {
    await using store = await openTestStore();
    await store.saveTallies([tally("old", 0)]);
    await store.saveTallies([tally("new", 48 * HOUR + 1)]);

    expect(await store.listTallies()).toEqual([tally("new", 48 * HOUR + 1)]);
  });
});

describe("mutes", () => {
  test("are in the state at once, replaced by subject and signature, and removed by id", async () => {
    await using store = await openTestStore();
    await store.addMute(mute());
    await store.addMute(mute({ id: "m2", signature: null }));
    await store.addMute(mute({ id: "m3", reason: "still" }));
    const kept = store.state().mutes;

    const removed = [await store.removeMute("m3"), await store.removeMute("m3")];

    expect(kept).toEqual([
      mute({ id: "m2", signature: null }),
      mute({ id: "m3", reason: "still" }),
    ]);
    expect(removed).toEqual([true, false]);
    expect(store.state().mutes).toEqual([mute({ id: "m2", signature: null })]);
  });

  test("that are over go with the next one", async () => {
    await using store = await openTestStore();
    await store.addMute(mute({ subject: "b:m", until_at: 2000 }));
    await store.addMute(mute({ id: "m2", created_at: 2000 }));

    expect(store.state().mutes).toEqual([mute({ id: "m2", created_at: 2000 })]);
  });
});

test("a trip comes back with how far its trials have come", async () => {
  await using store = await openTestStore();
  const about = { scope: "target", cause: "signature:empty_200", detail: "d" } as const;
  const trip = { ...about, subject: "a:m", opened_at: 1, until_at: 2, reopened: 1 };
  const tried = { ...trip, subject: "b:m", clean: 3, probed_at: 9 };
  await store.saveTrip(trip);
  await store.saveTrip(tried);

  expect(await store.listTrips()).toEqual([trip, tried]);
});

test("what another process takes away is told, although saving was not", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await using store = await openTestStore(path);
  await using other = await openTestStore(path);
  const about = { scope: "target", cause: "signature:empty_200", detail: "d" } as const;
  const trip = { ...about, subject: "a:m", opened_at: 1, until_at: 2, reopened: 0 };
  const told = Promise.withResolvers<number>();
  await store.saveTrip(trip);
  store.onStateChange(({ trips }) => told.resolve(trips.length));

  await other.dropTrip(trip);

  expect(await told.promise).toBe(0);
});
