import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { processStart } from "../../src/store/process-identity.ts";
import { acquireServeLock, readServeLock, type ServeLock } from "../../src/store/serve-lock.ts";
import { tempDir } from "../support/temp-dir.ts";

const ADDRESS = "http://127.0.0.1:8484";

function acquired(path: string): ServeLock {
  const result = acquireServeLock(path);
  if (result.kind !== "acquired") throw new Error(`held by ${result.holder.pid}`);
  return result.lock;
}

/** Pid of a process that has ended and been collected. */
async function deadPid(): Promise<number> {
  const child = Bun.spawn(["true"], { env: process.env });
  await child.exited;
  return child.pid;
}

test("the first one gets the lock, the second one learns who has it and where", () => {
  using folder = tempDir();
  const path = folder.file("state/serve.lock");
  const lock = acquired(path);
  expect(readServeLock(path)).toMatchObject({ pid: process.pid, address: null });

  lock.announce(ADDRESS);

  expect(acquireServeLock(path)).toMatchObject({
    kind: "held",
    holder: { pid: process.pid, address: ADDRESS },
  });
  expect(readServeLock(path)?.address).toBe(ADDRESS);
  expect(readdirSync(folder.file("state"))).toEqual(["serve.lock"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a released lock is gone and may be taken again", () => {
  using folder = tempDir();
  const path = folder.file("serve.lock");

  acquired(path).release();
  expect(existsSync(path)).toBe(false);
  expect(readServeLock(path)).toBeNull();
  acquired(path).release();
});

test.each<{ left: string; change: (own: Record<string, unknown>) => Promise<string> | string }>([
  {
    left: "by a process that is dead",
    change: async (own) => JSON.stringify({ ...own, pid: await deadPid() }),
  },
  {
    left: "before the machine booted",
    change: (own) => JSON.stringify({ ...own, boot_id: "00000000-0000-0000-0000-000000000000" }),
  },
  {
    left: "by an earlier process of the same pid",
    change: (own) => JSON.stringify({ ...own, process_start: "1" }),
  },
  { left: "empty by a power cut", change: () => "" },
  { left: "as something else", change: () => '{"pid":"me"}' },
])("a lock left $left is taken over", async ({ change }) => {
  using folder = tempDir();
  const path = folder.file("serve.lock");
  acquired(path).announce(ADDRESS);
  writeFileSync(path, await change(JSON.parse(readFileSync(path, "utf8"))));
  expect(readServeLock(path)).toBeNull();

  acquired(path).announce("http://127.0.0.1:1");

  expect(readServeLock(path)?.address).toBe("http://127.0.0.1:1");
  expect(readdirSync(folder.path).toSorted()).toEqual([".lock-turn", "serve.lock"]);
});

test("a lock that is held is held on a disk that takes nothing, too", () => {
  using folder = tempDir();
  const path = folder.file("serve.lock");
  const lock = acquired(path);
  // Where the finished lock is made before it is put in place.
  mkdirSync(`${path}.new-${process.pid}`);

  expect(acquireServeLock(path)).toMatchObject({ kind: "held", holder: { pid: process.pid } });
  lock.release();
  expect(() => acquireServeLock(path)).toThrow(/cannot take `.*serve\.lock`/);
});

test("a lock that somebody took over is not released by its former holder", () => {
  using folder = tempDir();
  const path = folder.file("serve.lock");
  const lock = acquired(path);
  const other = { pid: 1, boot_id: null, process_start: null, address: ADDRESS };
  writeFileSync(path, JSON.stringify(other));

  lock.release();

  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual(other);
});

test("of many processes that race for stale locks exactly one gets each", async () => {
  using folder = tempDir();
  const stale = { pid: await deadPid(), boot_id: null, process_start: null, address: null };
  const paths = Array.from({ length: 100 }, (_, n) => folder.file(`${n}.lock`));
  for (const path of paths) writeFileSync(path, JSON.stringify(stale));
  const rival = join(import.meta.dir, "..", "support", "lock-rival.ts");
  const rivals = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, rival, ...paths], {
      env: process.env,
      stdin: "pipe",
      stdout: "pipe",
    }),
  );

  const answers = await Promise.all(rivals.map(({ stdout }) => firstAnswer(stdout)));
  for (const { stdin } of rivals) void stdin.end();
  await Promise.all(rivals.map(({ exited }) => exited));

  const winners = paths.map((_, n) => answers.filter((kinds) => kinds[n] === "acquired").length);
  expect(winners).toEqual(paths.map(() => 1));
  expect(paths.filter((path) => existsSync(path))).toEqual([]);
});

/** How each lock was answered, one after the other. */
async function firstAnswer(stdout: ReadableStream<Uint8Array>): Promise<string[]> {
  const { value } = await stdout.getReader().read();
  return JSON.parse(new TextDecoder().decode(value));
}

test("a directory that cannot be made is an error that says so", () => {
  using folder = tempDir();
  writeFileSync(folder.file("state"), "");

  expect(() => acquireServeLock(folder.file("state/serve.lock"))).toThrow(
    /cannot take `.*serve\.lock`/,
  );
});

test("a lock that is a directory is an error, not an endless wait", () => {
  using folder = tempDir();
  mkdirSync(folder.file("serve.lock"));

  expect(() => acquireServeLock(folder.file("serve.lock"))).toThrow(/cannot read `.*serve\.lock`/);
});

test("a living process has a start that stays, a dead one has none", async () => {
  expect(processStart(process.pid)).toBe(processStart(process.pid));
  expect(processStart(process.pid)).not.toBeNull();
  expect(processStart(await deadPid())).toBeNull();
});
