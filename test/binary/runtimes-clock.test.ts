/** T1, W14: what a start makes of clocks that were moved, or ran on without it, while nobody watched. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { HOUR } from "../support/lease.ts";
import { type Rented, rented, UP } from "../support/rented.ts";
import { until } from "../support/until.ts";

const LIMIT_MS = 120_000;
const YEAR = 365 * 24 * HOUR;

const released = (made: Rented) => until(() => made.lease("gpu") === null);

/** Its history, as the released lease tells it. */
function historyIn({ state_dir }: Rented): string {
  const directory = join(state_dir, "runtimes", "released");
  const [file = "none"] = new Bun.Glob("*.json").scanSync(directory);
  return readFileSync(join(directory, file), "utf8");
}

interface Passed {
  /** By which the wall clock is further than when the lease was written, beyond what really passed. */
  readonly wall: number;
  /** The same of the time since boot. */
  readonly boot: number;
}

/** A lease is written again as it would be, had that much passed on each clock since. */
function age(made: Rented, { wall, boot }: Passed): void {
  const path = join(made.state_dir, "runtimes", "gpu.json");
  const lease = JSON.parse(readFileSync(path, "utf8"));
  for (const key of [
    "created_at",
    "phase_at",
    "idle_deadline",
    "hard_deadline",
    "last_activity_at",
  ]) {
    lease[key] -= wall;
  }
  lease.hard_remaining_ms_at.remaining_ms -= boot;
  writeFileSync(path, JSON.stringify(lease));
}

/** One that serves, and whose router was killed. */
async function killed(): Promise<Rented> {
  const made = await rented();
  const first = await made.serve();
  await made.run(...UP);
  first.signal("SIGKILL");
  await first.exited;
  return made;
}

test.concurrent.each<Passed & { readonly what: string }>([
  { what: "the computer slept through its life", wall: 5 * HOUR, boot: 5 * HOUR },
  { what: "the clock was set back by its whole life", wall: 0, boot: 5 * HOUR },
])(
  "T1, W14: $what while nobody watched, and it is released at the start",
  async (passed) => {
    await using made = await killed();
    age(made, passed);

    await using second = await made.serve();
    await released(made);

    expect(second.stderr()).toContain("MAY STILL BE BILLING gpu T4");
    expect(second.stderr()).not.toContain("attached again");
    expect(historyIn(made)).toContain("its life is over");
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);

test.concurrent(
  "T1, W14: a clock that leapt a year ahead ends no runtime at once, and one that stays there does",
  async () => {
    await using made = await killed();
    const ssh = made.lease("gpu")?.["tunnel_pid"];
    age(made, { wall: YEAR, boot: 0 });

    await using second = await made.serve();
    await until(() => made.lease("gpu")?.["tunnel_pid"] !== ssh);
    const [attached, billing] = [made.lease("gpu"), made.colab.billing()];
    await released(made);

    expect(attached).toMatchObject({ phase: "ready" });
    expect(billing).toHaveLength(1);
    expect(second.stderr()).toContain("MAY STILL BE BILLING gpu T4");
    expect(historyIn(made)).toContain("its life is over");
    expect(made.colab.billing()).toEqual([]);
  },
  LIMIT_MS,
);
