/** T1: the router is killed where it hurts most; the fake knows what is billing. */
import { expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import type { Faults } from "../support/fake-colab/faults.ts";
import { someLease } from "../support/lease.ts";
import { isRunning } from "../support/life.ts";
import { type Rented, rented, UP } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;

const endpointIn = (made: Rented) => made.lease("gpu")?.["endpoint"];
const phaseIn = (made: Rented) => made.lease("gpu")?.["phase"];
const isRented = (made: Rented) => made.colab.billing().length === 1;

/** Whether the command that rents runs now. */
function isAsking(made: Rented): boolean {
  return readdirSync("/proc").some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      return words.includes(made.dir.path) && words.includes("\0new\0");
    } catch {
      return false;
    }
  });
}

interface Window {
  readonly window: string;
  readonly faults: Faults;
  /** When the router is killed. */
  readonly when: (made: Rented) => boolean;
  /** What must have come of the machine by then, though the router is gone. */
  readonly leaves?: (made: Rented) => boolean;
}

/** What whoever waits is told when the router is gone. */
const LOST = "`veriroute runtimes down gpu` releases it, without a server too";

/** A command that was begun goes on by itself. */
const SLOW: Faults = { latency_ms: 400 };

test.concurrent.each<Window>([
  {
    window: "W3: Colab assigned a machine, and its command died with the answer",
    faults: { ...SLOW, new: "crash-after-assign" },
    when: isAsking,
    leaves: isRented,
  },
  {
    window: "W4: the command has stored the machine, the lease does not know it",
    faults: SLOW,
    when: isAsking,
    leaves: (made) => isRented(made) && !isAsking(made),
  },
  {
    window: "W5: no watchdog runs yet",
    faults: SLOW,
    when: (made) => typeof endpointIn(made) === "string",
  },
  {
    window: "W6: the server is being installed",
    faults: { boot_ms: 3_600_000 },
    when: (made) => made.colab.billing()[0]?.launch != null,
  },
])(
  "T1, $window: the next router releases it",
  async ({ faults, when, leaves = () => true }) => {
    await using made = await rented();
    made.colab.setFaults(faults);
    const first = await made.serve();
    const up = made.run(...UP);
    await until(() => when(made));
    first.signal("SIGKILL");
    const [told] = await Promise.all([up, first.exited]);
    await until(() => leaves(made));
    made.colab.setFaults({});

    const status = await made.run("status");
    await using second = await made.serve();
    await until(() => made.lease("gpu") === null);

    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining(LOST) });
    expect(status.stdout).toContain("MAY STILL BE BILLING gpu T4");
    expect(second.stderr()).toContain("MAY STILL BE BILLING gpu T4");
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent.each<Window>([
  {
    window: "W8: the stop is on disk, Colab was not asked",
    faults: { latency_ms: 800 },
    when: (made) => phaseIn(made) === "stopping",
  },
  {
    window: "W9: Colab has released it, nothing proves it yet",
    faults: {},
    when: (made) => made.colab.billing().length === 0,
  },
])(
  "T1, $window: the next router goes on until it is proven",
  async ({ faults, when }) => {
    await using made = await rented();
    const first = await made.serve();
    await made.run(...UP);
    made.colab.setFaults(faults);
    const down = made.run("down", "gpu");
    await until(() => when(made));
    first.signal("SIGKILL");
    const [told] = await Promise.all([down, first.exited]);
    made.colab.setFaults({});

    const before = phaseIn(made);
    await using second = await made.serve();
    await until(() => made.lease("gpu") === null);

    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining(LOST) });
    expect(before).toBe("stopping");
    expect(second.stderr()).toContain("MAY STILL BE BILLING gpu T4");
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  "T1, W7: killed while it serves, it serves again, and the ssh that outlived the router is ended",
  async () => {
    await using made = await rented();
    const first = await made.serve();
    await made.run(...UP);
    const ssh = Number(made.lease("gpu")?.["tunnel_pid"]);
    first.signal("SIGKILL");
    await first.exited;
    const outlived = existsSync(`/proc/${ssh}`);

    await using second = await made.serve();
    await until(() => second.stderr().includes("attached again") || phaseIn(made) === "ready");
    await until(() => Number(made.lease("gpu")?.["tunnel_pid"]) !== ssh);
    await until(() => !isRunning(ssh));

    expect(outlived).toBe(true);
    expect(phaseIn(made)).toBe("ready");
    expect((await made.run("down", "gpu")).code).toBe(0);
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  "T1, W2: killed before Colab was asked, nothing is billing and it is reported until that is certain",
  async () => {
    await using made = await rented();
    made.colab.setFaults({ new: "crash-before", latency_ms: 400 });
    const first = await made.serve();
    const up = made.run(...UP);
    await until(() => phaseIn(made) === "starting");
    first.signal("SIGKILL");
    await Promise.all([first.exited, up]);
    made.colab.setFaults({});

    await using second = await made.serve();
    await second.saw(/MAY STILL BE BILLING gpu T4/);
    const again = await made.run(...UP);

    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("`gpu` already") });
    expect(made.colab.billing()).toEqual([]);
    expect(phaseIn(made)).toMatch(/^(starting|stopping)$/);
  },
  LIMIT_MS,
);

test.concurrent(
  "T1, W0, W1, W10: a lock, half a write and a proven lease that a kill left keep no name and no notice",
  async () => {
    await using made = await rented();
    made.colab.setFaults({ new: "400" });
    const directory = join(made.state_dir, "runtimes");
    const [lock, torn] = [join(directory, "gpu.lock"), join(directory, ".torn.tmp")];
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { pid } = Bun.spawnSync(["/bin/true"], { env: {} });
    const holder = { pid, boot_id: null, process_start: null, address: null };
    writeFileSync(lock, JSON.stringify(holder));
    writeFileSync(torn, '{"name":');
    utimesSync(torn, 1, 1);
    const release = { ...someLease().release, proof: PROOF };
    const done = someLease({ name: "done", phase: "stopped", release });
    writeFileSync(join(directory, "done.json"), JSON.stringify(done));

    await using server = await made.serve();
    await until(() => made.lease("done") === null && !existsSync(torn));
    const up = await made.run(...UP);

    expect(up).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("may not use this GPU"),
    });
    expect(server.stderr()).not.toContain("MAY STILL BE BILLING done");
    expect(readdirSync(join(directory, "released"))).toHaveLength(2);
    expect([made.lease("gpu"), made.colab.billing()]).toEqual([null, []]);
  },
  LIMIT_MS,
);

const PROOF = {
  kind: "absent",
  first_listing_at: 1,
  second_listing_at: 2,
  endpoint: "gpu-t4-1",
} as const;
