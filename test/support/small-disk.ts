import { test as plainTest } from "bun:test";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

import type { RunTest } from "./skip.ts";
import { tempDir } from "./temp-dir.ts";

export interface SmallDisk extends Disposable {
  /** Until nothing more can be written. */
  readonly fill: () => void;
  readonly free: () => void;
}

/** A file system of its own at that path; taken away again with the scope. Throws where it may not be mounted. */
export function smallDisk(path: string): SmallDisk {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  mount("mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", path);
  const file = join(path, "filling");
  return {
    fill() {
      const opened = openSync(file, "w");
      try {
        for (;;) writeSync(opened, Buffer.alloc(4096));
      } catch {
        // ENOSPC: that is what is wanted.
      } finally {
        closeSync(opened);
      }
    },
    free: () => rmSync(file),
    // What is still open there is let go with its process.
    [Symbol.dispose]: () => mount("umount", "--lazy", path),
  };
}

function mount(...words: [string, ...string[]]): void {
  const { success, stderr } = Bun.spawnSync(words, {
    env: { PATH: process.env["PATH"] ?? "" },
    stdout: "ignore",
    stderr: "pipe",
  });
  if (!success) throw new Error(stderr.toString());
}

/** Beside the others of its file, where a file system may be mounted. */
export const testWithSmallDisk: RunTest = canMount() ? plainTest.concurrent : plainTest.skip;

function canMount(): boolean {
  using dir = tempDir();
  try {
    smallDisk(dir.file("disk"))[Symbol.dispose]();
    return true;
  } catch {
    process.stdout.write("skip: mount: only root may, and not in every container\n");
    return false;
  }
}
