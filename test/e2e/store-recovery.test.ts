import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";

import { keyFile } from "../../src/store/keys.ts";
import type { StoredKey } from "../../src/store/store.ts";
import { attempt, decision } from "../support/decisions.ts";
import { failureOf, openTestStore } from "../support/open-store.ts";
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
const NOW = Date.UTC(2026, 10, 30, 12, 0, 1, 5);
const clock = { now: () => NOW, elapsed: () => 0 };
const KEPT = "veriroute.db.damaged-2026-11-30T12-00-01-005Z";

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const zeros = (path: string, at: number, length: number) => {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0, at, at + length));
};

/** A closed database of several hundred pages with a key in it. */
async function fill(path: string, rows = 400): Promise<void> {
  await using store = await openTestStore(path);
  await store.addKey(KEY);
  await store.setOverride("log.level", '"debug"');
  store.recordAudit({ at: 1, actor: "cli", action: "key.create", subject: "key-1", detail: null });
  for (let at = 0; at < rows; at++) store.recordDecision(decision({ at }));
}

test("files and directory are for their owner only, whatever the umask", async () => {
  using folder = tempDir();
  const path = folder.file("state/veriroute.db");
  const before = process.umask(0);

  await using store = await openTestStore(path);
  store.recordDecision(decision());
  await store.listDecisions({ limit: 1 });
  process.umask(before);

  expect(mode(folder.file("state"))).toBe("700");
  const modes = readdirSync(folder.file("state")).map((name) => [
    name,
    mode(folder.file(`state/${name}`)),
  ]);
  expect(Object.fromEntries(modes)).toEqual({
    "veriroute.db": "600",
    "veriroute.db-wal": "600",
    "veriroute.db-shm": "600",
  });
});

test("an existing database that others could read is closed to them", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path);
  chmodSync(path, 0o644);

  await using store = await openTestStore(path);

  expect(store.stats().healthy).toBe(true);
  expect(mode(path)).toBe("600");
});

test("what was recorded is there after closing and opening, and no log is left behind", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path);
  expect(readdirSync(folder.path).toSorted()).toEqual(["keys.made", "veriroute.db"]);

  await using store = await openTestStore(path);

  expect(store.state()).toEqual(
    storedState({ keys: [KEY], overrides: { "log.level": '"debug"' } }),
  );
  expect((await store.listDecisions({ limit: 500 })).items).toHaveLength(400);
});

test.each([
  { when: "at the next start", changes: {} },
  {
    when: "even if the clock was set back meanwhile",
    changes: { clock: { now: () => 0, elapsed: () => 0 } },
  },
])("what was in progress when the process went away is interrupted $when", async ({ changes }) => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  const open = decision({
    id: "open",
    outcome: "in_progress",
    status: null,
    attempts: [attempt()],
  });
  const done = decision({ id: "done" });
  {
    await using store = await openTestStore(path);
    store.recordDecision(open);
    store.recordDecision(done);
  }

  await using store = await openTestStore(path, changes);

  expect(await store.getDecision("open")).toEqual({ ...open, outcome: "interrupted" });
  expect(await store.getDecision("done")).toEqual(done);
});

test("a database of a newer version is refused and not touched", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path);
  const db = new Database(path);
  db.run("PRAGMA journal_mode = DELETE");
  db.run("PRAGMA user_version = 99");
  db.close();
  const before = readFileSync(path);

  const failure = await failureOf(openTestStore(path));

  expect(failure).toMatchObject({ name: "StoreError", kind: "newer_schema" });
  expect(String(failure)).toContain(`\`${path}\` has schema 99`);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder.path).toSorted()).toEqual(["keys.made", "veriroute.db"]);
});

test.each<{ damage: string; spoil: (path: string) => void; keys: StoredKey[] }>([
  {
    damage: "4 KB of zeros in the middle",
    spoil: (path) => zeros(path, Math.floor(statSync(path).size / 8192) * 4096, 4096),
    keys: [KEY],
  },
  { damage: "zeros over the header", spoil: (path) => zeros(path, 0, 100), keys: [] },
  { damage: "text", spoil: (path) => writeFileSync(path, "not a database\n".repeat(99)), keys: [] },
  {
    damage: "an end that is missing",
    spoil: (path) => truncateSync(path, statSync(path).size / 2),
    keys: [],
  },
])("$damage: the file is kept, a fresh one serves, and the state says so", async (row) => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path);
  row.spoil(path);
  const spoiled = readFileSync(path);

  await using store = await openTestStore(path, { clock });
  store.recordDecision(decision({ id: "new" }));

  expect((await store.listDecisions({ limit: 9 })).items.map(({ id }) => id)).toEqual(["new"]);
  const { keys, keys_lost } = store.state();
  expect({ keys, keys_lost }).toEqual({ keys: row.keys, keys_lost: row.keys.length === 0 });
  expect(store.stats()).toMatchObject({ healthy: false, dropped: 0 });
  expect(store.stats().problem).toContain(folder.file(KEPT));
  expect(readFileSync(folder.file(KEPT)).equals(spoiled)).toBe(true);
});

test.each<{ what: string; before: (path: string) => Promise<void>; keys_lost: boolean }>([
  { what: "a key in use", before: (path) => fill(path, 1), keys_lost: true },
  {
    what: "a key that was revoked",
    before: async (path) => {
      await fill(path, 1);
      keyFile(path).revoke(KEY.id, 2000);
    },
    keys_lost: false,
  },
  {
    what: "no key",
    before: async (path) => (await openTestStore(path)).close(),
    keys_lost: false,
  },
])("of a database that is gone and held $what the keys count as lost: $keys_lost", async (row) => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await row.before(path);
  rmSync(path);

  const lost: boolean[] = [];
  for (let start = 0; start < 2; start++) {
    await using store = await openTestStore(path);
    lost.push(store.state().keys_lost);
  }

  expect(lost).toEqual([row.keys_lost, row.keys_lost]);
  expect(keyFile(path).areLost()).toBe(row.keys_lost);
  keyFile(path).create({ name: "new", scope: "admin", profile: null }, 3000);
  expect(keyFile(path).areLost()).toBe(false);
});

test("a key made before there was a marker has one from the next start on", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await fill(path, 1);
  rmSync(folder.file("keys.made"));

  await (await openTestStore(path)).close();

  expect(mode(folder.file("keys.made"))).toBe("600");
});

test("a second damaged database of the same moment does not overwrite the first", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  for (const text of ["first ".repeat(999), "second ".repeat(999)]) {
    writeFileSync(path, text);
    const store = await openTestStore(path, { clock });
    await store.close();
  }

  expect(readdirSync(folder.path).toSorted()).toEqual(["veriroute.db", KEPT, `${KEPT}-2`]);
});

test("damage met while serving stops writing, is visible, and is repaired by the next start", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  // More than SQLite keeps in memory, so that it has to read the file again.
  await fill(path, 2000);
  {
    await using store = await openTestStore(path);
    zeros(path, 4096, statSync(path).size - 4096);
    for (let n = 0; n < 300; n++) store.recordDecision(decision());
    await failureOf(store.listDecisions({ limit: 500 }));

    expect(store.stats()).toMatchObject({ healthy: false, queued: 0 });
    expect(store.stats().problem).toContain("is damaged");
    expect(store.stats().dropped).toBeGreaterThan(0);
    expect(await failureOf(store.addKey(KEY))).toMatchObject({ kind: "damaged" });
  }

  await using store = await openTestStore(path, { clock });
  store.recordDecision(decision({ id: "new" }));

  expect(await store.getDecision("new")).not.toBeNull();
  expect(store.stats().problem).toContain(KEPT);
});

test.each<{ place: string; prepare: (state: string) => void }>([
  {
    place: "a directory",
    prepare: (state) => mkdirSync(`${state}/veriroute.db`, { recursive: true }),
  },
  { place: "below a file", prepare: (state) => writeFileSync(state, "") },
])("a path that is $place is an error with its way out", async ({ prepare }) => {
  using folder = tempDir();
  prepare(folder.file("state"));

  const failure = await failureOf(openTestStore(folder.file("state/veriroute.db")));

  expect(failure).toMatchObject({ kind: "unwritable" });
  expect(String(failure)).toMatch(/cannot open `.*veriroute\.db`: .*Check that the directory/);
});
