import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";

import { decision } from "../support/decisions.ts";
import { openTestStore } from "../support/open-store.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

/** A directory on a file system of `size`, gone with its scope. Throws where mounting is not permitted. */
function smallDisk(size: string): TempDir {
  const folder = tempDir();
  const mount = ["mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder.path];
  const { exitCode, stderr } = Bun.spawnSync(mount, { env: process.env });
  if (exitCode !== 0) {
    folder[Symbol.dispose]();
    throw new Error(stderr.toString());
  }
  return {
    ...folder,
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", "-l", folder.path], { env: process.env });
      folder[Symbol.dispose]();
    },
  };
}

function canMount(): boolean {
  try {
    smallDisk("1m")[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

const possible = canMount();
if (!possible) process.stdout.write("skip: mount: run the tests as root on Linux\n");

test.skipIf(!possible)(
  "a full disk drops and counts rows, and writing goes on once there is room",
  async () => {
    using disk = smallDisk("2m");
    const path = disk.file("veriroute.db");
    await using store = await openTestStore(path);
    const ballast = disk.file("ballast");
    writeFileSync(ballast, "");
    expect(() => writeFileSync(ballast, Buffer.alloc(4 * 1024 ** 2))).toThrow("ENOSPC");

    for (let n = 0; n < 2000; n++) store.recordDecision(decision());
    await store.getDecision("x");
    const full = store.stats();
    rmSync(ballast);
    store.recordDecision(decision({ id: "after" }));

    expect(await store.getDecision("after")).not.toBeNull();
    expect(full.dropped).toBeGreaterThan(0);
    expect(full).toMatchObject({ healthy: true, problem: expect.stringContaining("full") });
    expect(store.stats()).toMatchObject({ healthy: true, problem: null });
    await store.close();
    const db = new Database(path);
    expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    db.close();
  },
);
