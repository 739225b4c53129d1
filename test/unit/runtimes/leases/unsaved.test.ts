import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  nat,
  oneof,
  record,
} from "fast-check";

import type { Phase } from "../../../../src/runtimes/lease.ts";
import type { LeaseChange } from "../../../../src/runtimes/leases/change-lease.ts";
import { openLeases } from "../../../../src/runtimes/leases/open-leases.ts";
import { writeChange } from "../../../../src/runtimes/write-change.ts";
import { failingDisk } from "../../../support/failing-disk.ts";
import { CREATED, PROOF, someLease } from "../../../support/lease.ts";
import { movedClock } from "../../../support/moved-clock.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const WATCHDOG = { installed_at: CREATED, ttl_s: 900, heartbeat_s: 100, seen_at: CREATED };
const RELEASED = { attempts: 1, last_at: CREATED, last_error: null, proof: PROOF };

const takeLock = () => ({ kind: "acquired", lock: { release: () => undefined } }) as const;

async function rig(first = someLease()) {
  const home = tempDir();
  const directory = home.file("runtimes");
  const disk = failingDisk(home.path);
  const clock = movedClock(CREATED);
  const open = () => openLeases({ directory, clock, takeLock, files: disk.leaseFiles });
  const leases = open();
  await leases.create(first);
  const said: string[] = [];
  const log = { error: (_: unknown, text = "") => void said.push(text) };
  let lease = first;
  const change = async (fields: LeaseChange) => {
    lease = await writeChange({ leases, log }, lease, fields);
    return lease;
  };
  const path = join(directory, `${first.name}.json`);
  return {
    leases,
    open,
    disk,
    clock,
    said,
    change,
    path,
    json: (): Record<string, unknown> => JSON.parse(readFileSync(path, "utf8")),
    [Symbol.dispose]: home[Symbol.dispose],
  };
}

test.each([
  { what: "that it ends", lost: { phase: "stopping" } },
  { what: "that it serves", lost: { phase: "ready" } },
  { what: "that a watchdog runs", lost: { watchdog: WATCHDOG } },
  { what: "which machine it is", lost: { endpoint: "gpu-t4-9" } },
] as const)(
  "what the disk did not take, $what, is there with the next write that succeeds",
  async ({ lost }) => {
    using made = await rig(
      someLease({ phase: "starting", watchdog: null, endpoint: null, base_url: null }),
    );
    const { disk, clock, change, json } = made;
    disk.isFull = true;
    clock.move(1000);
    const inMemory = await change({ ...lost, event: "while it was full" });
    disk.isFull = false;
    clock.move(1000);

    const after = await change({ liveness_misses: 2 });

    const moved = "phase" in lost ? { phase_at: CREATED + 1000 } : {};
    const known = {
      ...lost,
      ...moved,
      events: [{ at: CREATED + 1000, what: "while it was full" }],
    };
    expect(inMemory).toMatchObject(known);
    expect(after).toMatchObject({ ...known, liveness_misses: 2 });
    expect(json()).toMatchObject({ ...known, liveness_misses: 2 });
  },
);

test("what the disk did not take is written once it takes files, without another change", async () => {
  using made = await rig();
  const { leases, disk, change, json } = made;
  disk.isFull = true;
  await change({ phase: "stopping" });
  await leases.catchUp("qwen");
  expect(json()["phase"]).toBe("ready");
  disk.isFull = false;

  await leases.catchUp("qwen");

  expect(json()["phase"]).toBe("stopping");
});

test("nothing leads back from a phase that the disk did not take", async () => {
  using made = await rig();
  const { disk, change, json, said } = made;
  disk.isFull = true;
  await change({ phase: "stopping" });
  disk.isFull = false;

  const after = await change({ phase: "degraded" });

  expect(after.phase).toBe("stopping");
  expect(said).toHaveLength(2);
  expect(json()["phase"]).toBe("ready");
});

test("a proof that the disk did not take puts the lease away once it does", async () => {
  using made = await rig(someLease({ phase: "stopping" }));
  const { leases, disk, change } = made;
  disk.isFull = true;
  await change({ phase: "stopped", release: RELEASED });
  expect(await leases.archive("qwen").catch((error: unknown) => error)).toMatchObject({
    kind: "full",
  });
  disk.isFull = false;

  await leases.archive("qwen");

  expect(await leases.list()).toEqual([]);
});

test("what another process wrote meanwhile counts for more than what the disk did not take", async () => {
  using made = await rig();
  const { disk, change, open, json } = made;
  disk.isFull = true;
  await change({ phase: "degraded" });
  disk.isFull = false;
  await open().update("qwen", () => ({ phase: "stopping" }));

  const after = await change({ liveness_misses: 1 });

  expect([after.phase, json()["phase"]]).toEqual(["stopping", "stopping"]);
});

test("a lease of the same name that came later knows nothing of it", async () => {
  using made = await rig(someLease({ phase: "stopping" }));
  const { leases, disk, change, json } = made;
  disk.isFull = true;
  await change({ phase: "stopped", release: RELEASED });
  disk.isFull = false;
  await leases.archive("qwen");
  await leases.create(someLease({ lease_id: "lease-2" }));

  await leases.update("qwen", () => ({ liveness_misses: 1 }));

  expect(json()).toMatchObject({ lease_id: "lease-2", phase: "ready", liveness_misses: 1 });
});

test("changes while the file cannot be read are there once it can, beside what a later version wrote", async () => {
  using made = await rig();
  const { change, path, json } = made;
  const text = readFileSync(path, "utf8");
  writeFileSync(path, "{");
  await change({ watchdog: { ...WATCHDOG, seen_at: null } });
  await change({ phase: "stopping" });
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), of_later: 1 }));

  await change({ liveness_misses: 1 });

  expect(json()).toMatchObject({
    phase: "stopping",
    watchdog: { seen_at: null },
    liveness_misses: 1,
    of_later: 1,
  });
});

const someChange: Arbitrary<LeaseChange> = oneof(
  record({ liveness_misses: nat(9) }),
  record({ error: constantFrom("one", "two", null) }),
  record({ phase: constantFrom<Phase[]>("ready", "degraded", "stopping", "detached") }),
  record({ watchdog: constantFrom(null, WATCHDOG, { ...WATCHDOG, seen_at: null }) }),
);

test("whatever the disk takes and refuses, the file ends as if it had taken everything", async () => {
  const changes = array(record({ full: boolean(), change: someChange }), { maxLength: 12 });
  await assert(
    asyncProperty(changes, async (steps) => {
      using failing = await rig();
      using sound = await rig();
      for (const { full, change } of steps) {
        failing.disk.isFull = full;
        const inMemory = await failing.change(change);
        expect(inMemory).toEqual(await sound.change(change));
      }
      failing.disk.isFull = false;
      await failing.leases.catchUp("qwen");

      expect(failing.json()).toEqual(sound.json());
    }),
    { numRuns: 40 },
  );
});
