import { createColabDriver } from "../../src/runtimes/colab/create-driver.ts";
import type { ColabDriver } from "../../src/runtimes/colab/driver.ts";
import type { Faults } from "./fake-colab/faults.ts";
import { type InProcessColab, inProcessColab } from "./fake-colab/in-process.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";

export interface ColabRig extends Disposable {
  readonly colab: InProcessColab;
  readonly driver: ColabDriver;
  /** Another one on the same stores, as a process of its own would have it. */
  readonly newDriver: () => ColabDriver;
  readonly root: string;
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
  const colab = inProcessColab({ now: clock.now, pause });
  colab.setFaults(faults);
  const root = dir.file("colab");
  const newDriver = () =>
    createColabDriver({
      run: colab.run,
      clock,
      root,
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
    clock,
    move,
    [Symbol.dispose]: () => dir[Symbol.dispose](),
  };
}
