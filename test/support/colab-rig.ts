import { mkdirSync } from "node:fs";

import { createColabDriver } from "../../src/runtimes/colab/create-driver.ts";
import type { ColabDriver } from "../../src/runtimes/colab/driver.ts";
import { type FailingDisk, failingDisk } from "./failing-disk.ts";
import type { Faults } from "./fake-colab/faults.ts";
import { type InProcessColab, inProcessColab } from "./fake-colab/in-process.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";

export interface ColabRig extends Disposable {
  readonly colab: InProcessColab;
  readonly driver: ColabDriver;
  /** Another one on the same stores, as a process of its own would have it. */
  readonly newDriver: () => ColabDriver;
  readonly root: string;
  /** Where stores have their stand-ins. */
  readonly shelter: string;
  /** Where stores are. */
  readonly disk: FailingDisk;
  readonly clock: { readonly now: () => number; readonly elapsed: () => number };
  readonly move: (ms: number) => void;
}

/** The driver on the fake, in this process; a pause moves the clock and takes no time. */
export function colabRig(faults: Faults = {}): ColabRig {
  const dir: TempDir = tempDir();
  let now = Date.UTC(2030, 0, 1);
  const move = (ms: number) => void (now += ms);
  const clock = { now: () => now, elapsed: () => now };
  const pause = async (ms: number) => move(ms);
  const root = dir.file("colab");
  const shelter = dir.file("shelter");
  mkdirSync(shelter);
  const disk = failingDisk(root);
  const colab = inProcessColab({ now: clock.now, pause, takes: disk.takes });
  colab.setFaults(faults);
  const newDriver = () =>
    createColabDriver({
      run: colab.run,
      clock,
      root,
      shelters: [shelter],
      write: disk.write,
      userHome: null,
      env: { PATH: "/usr/bin:/bin" },
      program: "colab",
      auth: "oauth2",
    });
  return {
    colab,
    driver: newDriver(),
    newDriver,
    root,
    shelter,
    disk,
    clock,
    move,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}
