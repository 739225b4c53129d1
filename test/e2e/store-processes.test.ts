import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";

import { keyFile } from "../../src/store/keys.ts";
import { decision } from "../support/decisions.ts";
import { openTestStore } from "../support/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

const WRITER = join(import.meta.dir, "..", "support", "store-writer.ts");

/** Starts a process that records decisions without pause and prints the count it reached. */
function startWriter(path: string) {
  return Bun.spawn([process.execPath, WRITER, path], {
    env: process.env,
    stdout: "pipe",
    stderr: "inherit",
  });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

test("after kill -9 the database is sound and lacks at most the last second", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  const child = startWriter(path);
  const recorded: { count: number; at: number }[] = [];
  for await (const line of linesOf(child.stdout)) {
    const [count = 0, at = 0] = line.split(" ").map(Number);
    recorded.push({ count, at });
    if (count >= 3000) break;
  }

  child.kill("SIGKILL");
  await child.exited;
  const killed = Date.now();

  const db = new Database(path);
  expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  db.close();
  await using store = await openTestStore(path);
  const owed = recorded.findLast(({ at }) => at < killed - 1000)?.count ?? 0;
  const { items } = await store.listDecisions({ limit: 1 });
  expect(Number(items[0]?.request_id ?? 0)).toBeGreaterThanOrEqual(owed);
  expect(store.stats()).toMatchObject({ healthy: true, problem: null });
}, 20_000);

test("keys that another process creates and revokes are noticed", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  await using store = await openTestStore(path);
  const keys = keyFile(path);
  const change = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    store.onStateChange(() => resolve());
    return promise;
  };

  const added = change();
  const { stored } = keys.create({ name: "laptop", scope: "admin", profile: null }, 1000);
  await added;
  expect(store.state().keys).toEqual([stored]);

  const revoked = change();
  expect(keys.revoke(stored.id, 2000)).toBe(true);
  await revoked;
  expect(store.state().keys).toEqual([{ ...stored, revoked_at: 2000 }]);
});

test("a lock that lasts is no reason not to start: what is left is settled later", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  {
    await using store = await openTestStore(path);
    store.recordDecision(decision({ id: "open", outcome: "in_progress" }));
  }
  const other = new Database(path);
  other.run("BEGIN IMMEDIATE");

  await using store = await openTestStore(path);
  other.run("COMMIT");
  other.close();

  expect(store.stats().healthy).toBe(true);
  let found = await store.getDecision("open");
  while (found?.outcome === "in_progress") found = await store.getDecision("open");
  expect(found?.outcome).toBe("interrupted");
}, 20_000);
