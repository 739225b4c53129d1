import { runtimeSettings } from "../../src/runtimes/policy/settings.ts";
import { createRuntimes, type Runtimes } from "../../src/runtimes/runtimes.ts";
import { createLog } from "../../src/telemetry/log.ts";
import type { Fetch } from "../../src/upstream/fetch.ts";
import { configOf } from "../unit/config/load.ts";
import { type ColabRig, colabRig } from "./colab-rig.ts";
import { tempDir } from "./temp-dir.ts";

/** For a model that the bundled table knows. */
export const WISH = {
  repo: "Qwen/Qwen2.5-1.5B-Instruct",
  name: "gpu",
  context: 4096,
  concurrency: 1,
  quant: null,
  gpu: null,
  confirmed: true,
  without_watchdog: false,
} as const;

const silent = () => undefined;

/** The runtimes of one router, in this process. */
export interface RuntimesRig extends Disposable {
  readonly state_dir: string;
  readonly rig: ColabRig;
  readonly runtimes: Runtimes;
  readonly locks: ReadonlySet<string>;
}

export const unreachable: Fetch = () => Promise.reject(new Error("no network"));

/** All of it on the fake, in this process; the hub is out of reach, so the bundled table is asked. */
export function runtimesRig(fetch = unreachable): RuntimesRig {
  const rig = colabRig();
  const home = tempDir();
  const locks = new Set<string>();
  const config = configOf("[runtimes]\nenabled = true\n");
  const elapsed = rig.clock.elapsed();
  const runtimes = createRuntimes({
    state_dir: home.path,
    settings: () => runtimeSettings(config),
    routing: () => config.routing,
    env: { PATH: process.env["PATH"] ?? "" },
    version: "0.0.0",
    clock: rig.clock,
    readClocks: () => ({ now: rig.clock.now(), elapsed, boottime: elapsed }),
    random: () => 0.5,
    pause: (ms, signal) =>
      signal === undefined
        ? Promise.resolve(rig.move(ms))
        : new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    commands: { run: rig.colab.run, start: rig.colab.start },
    fetch,
    newId: () => Bun.randomUUIDv7(),
    randomBytes: (count) => new Uint8Array(count),
    process: { pid: 1, host: "here", boot_id: "boot-1" },
    takeLock(path) {
      if (locks.has(path)) return { kind: "held", holder: { pid: 1 } };
      locks.add(path);
      return { kind: "acquired", lock: { release: () => void locks.delete(path) } };
    },
    lockHolder: () => null,
    registry: { add: silent, remove: () => false, get: () => undefined },
    tell: silent,
    log: createLog({ level: "silent", destination: { write: silent } }),
    freePort: () => 18_000,
  });
  return {
    state_dir: home.path,
    rig,
    runtimes,
    locks,
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}
