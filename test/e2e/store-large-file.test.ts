import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";

import type { StoredKey } from "../../src/store/store.ts";
import { decision } from "../support/decisions.ts";
import { openTestStore } from "../support/open-store.ts";
import { storedState } from "../support/stored-state.ts";
import { tempDir } from "../support/temp-dir.ts";

const KEY: StoredKey = {
  id: "key-1",
  name: "laptop",
  scope: "client",
  hash: "5e88",
  prefix: "vr-abcde",
  created_at: 1000,
  revoked_at: null,
  profile: null,
};
const TRIP = {
  scope: "target",
  subject: "a:m",
  cause: "empty_200",
  detail: "why",
  opened_at: 1,
  until_at: 2,
  reopened: 0,
} as const;
const clock = { now: () => Date.UTC(2026, 10, 30, 12, 0, 1, 5), elapsed: () => 0 };
const KEPT = "veriroute.db.damaged-2026-11-30T12-00-01-005Z";
const NEVER = 1_000_000_000;
const ROWS = 6000;

/** A closed database that is too large to be read whole before a start is done. */
async function fill(path: string): Promise<void> {
  await using store = await openTestStore(path);
  await store.addKey(KEY);
  for (let at = 0; at < ROWS; at++) store.recordDecision(decision({ at }), "final");
}

/** Zeros over a part of the file, given as shares of it. */
function spoil(path: string, from: number, to: number): void {
  const bytes = readFileSync(path);
  const at = (share: number) => Math.floor((bytes.length * share) / 4096) * 4096;
  writeFileSync(path, bytes.fill(0, at(from), at(to)));
}

test("a large file is found damaged beside the work: it is kept, a fresh one serves, the state says so", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path);
  spoil(path, 0.5, 0.55);
  const { promise: found, resolve } = Promise.withResolvers<string>();
  const log = { warn: () => undefined, error: (_: object, message: string) => resolve(message) };

  await using store = await openTestStore(path, { clock, log, check_delay_ms: 0 });
  const atFirst = store.stats();
  const told = await found;
  store.recordDecision(decision({ id: "new" }));

  expect(statSync(folder.file(KEPT)).size).toBeGreaterThan(4 * 1024 ** 2);
  expect(atFirst).toMatchObject({ healthy: true, problem: null });
  expect((await store.listDecisions({ limit: 9 })).items.map(({ id }) => id)).toEqual(["new"]);
  expect(told).toContain(folder.file(KEPT));
  expect(store.stats()).toMatchObject({ healthy: false, problem: told, dropped: 0 });
  expect(store.state()).toEqual(storedState({ keys: [KEY] }));
});

test("damage that is met before the check is done has the same outcome, and the question an answer", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path);
  spoil(path, 0.4, 0.6);

  await using store = await openTestStore(path, { clock, check_delay_ms: NEVER });
  await store.saveTrip(TRIP);
  let page = await store.listDecisions({ limit: 500 });
  while (page.next !== null) page = await store.listDecisions({ limit: 500, cursor: page.next });
  store.recordDecision(decision({ id: "new" }));

  expect((await store.listDecisions({ limit: 9 })).items.map(({ id }) => id)).toEqual(["new"]);
  expect(store.stats().problem).toContain(folder.file(KEPT));
  expect(store.stats()).toMatchObject({ healthy: false, dropped: 0 });
  expect(store.state().keys).toEqual([KEY]);
  expect(await store.listTrips()).toEqual([TRIP]);
});

test("rows that meet damage before the check is done are written to the fresh database", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path);
  spoil(path, 0.1, 0.9);

  await using store = await openTestStore(path, { clock, check_delay_ms: NEVER });
  for (let at = 0; at < 300; at++) store.recordDecision(decision({ at }), "final");

  expect((await store.listDecisions({ limit: 500 })).items).toHaveLength(300);
  expect(store.stats()).toMatchObject({ healthy: false, dropped: 0 });
  expect(existsSync(folder.file(KEPT))).toBe(true);
});

test.each([
  { what: "a large file whose check was not done", rows: ROWS, closed_cleanly: 0 },
  { what: "a small file", rows: 10, closed_cleanly: 1 },
])("$what is closed so that the next start knows", async ({ rows, closed_cleanly }) => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  {
    await using store = await openTestStore(path);
    for (let at = 0; at < rows; at++) store.recordDecision(decision({ at }), "final");
  }
  {
    await using store = await openTestStore(path, { check_delay_ms: NEVER });
    expect(store.stats().healthy).toBe(true);
  }

  using db = new Database(path);
  expect(db.query("SELECT closed_cleanly FROM session").get()).toEqual({ closed_cleanly });
});
