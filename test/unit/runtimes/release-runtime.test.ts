import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";

import { releaseRuntime } from "../../../src/runtimes/release-runtime.ts";
import type { Faults } from "../../support/fake-colab/faults.ts";
import { MINUTE } from "../../support/lease.ts";
import { supervisedRig } from "../../support/supervised-rig.ts";

const REQUEST = { why: "its life is over", as: "stopped" } as const;
const PHRASE = /^MAY STILL BE BILLING a T4 ~1.19 CU\/h since 2030-01-01T/;

test("a release is on disk before Colab is asked, and proven by two listings 30 s apart", async () => {
  using made = supervisedRig();
  const { rig, dependencies } = made;
  const { leases } = dependencies;
  const lease = await made.rent("a");
  const seen: unknown[] = [];
  const driver = {
    ...dependencies.driver,
    stop: async (name: string) => {
      const file = await leases.read(name);
      seen.push(file?.kind === "lease" ? file.lease.phase : file);
      return rig.driver.stop(name);
    },
  };

  const outcome = await releaseRuntime({ ...dependencies, driver }, { ...REQUEST, lease });

  expect(seen).toEqual(["stopping"]);
  expect(rig.colab.billing()).toEqual([]);
  expect(outcome).toMatchObject({ kind: "released", lease: { phase: "stopped" } });
  const { proof } = outcome.lease.release;
  const [first, second] = [proof?.first_listing_at ?? 0, proof?.second_listing_at ?? 0];
  expect(second - first).toBeGreaterThanOrEqual(30_000);
  expect(outcome.lease.events.map(({ what }) => what)).toEqual([
    "releasing: its life is over",
    "stopped: two listings lack its machine",
  ]);
  expect(made.said).toEqual([]);
});

test.each<{ rule: string; faults: Faults; billing: number }>([
  { rule: "T6: a stop that lies", faults: { stop: "lies" }, billing: 1 },
  { rule: "T6: a stop that finds no session", faults: { stop: "not-found" }, billing: 1 },
  { rule: "T8: a stop that fails", faults: { stop: "500" }, billing: 1 },
  { rule: "T8: no network", faults: { stop: "network" }, billing: 1 },
  { rule: "T7: a login that is gone", faults: { sessions: "false-empty" }, billing: 0 },
  { rule: "T7: a listing that fails", faults: { sessions: "500" }, billing: 0 },
])("$rule proves nothing: it is said, and the lease stays", async ({ faults, billing }) => {
  using made = supervisedRig();
  const { rig, dependencies } = made;
  const { leases } = dependencies;
  const lease = await made.rent("a");
  rig.colab.setFaults(faults);

  const outcome = await releaseRuntime(dependencies, { ...REQUEST, lease });

  expect(rig.colab.billing()).toHaveLength(billing);
  expect(outcome).toMatchObject({ kind: "unproven", notice: expect.stringMatching(PHRASE) });
  expect(made.said).toEqual([expect.stringMatching(PHRASE)]);
  expect(await leases.read("a")).toMatchObject({
    lease: { phase: "stopping", release: { attempts: 1, proof: null } },
  });

  rig.colab.setFaults({});
  const again = await releaseRuntime(dependencies, { ...REQUEST, lease: outcome.lease });
  expect(again).toMatchObject({ kind: "released", lease: { release: { attempts: 2 } } });
  expect(rig.colab.billing()).toEqual([]);
});

test("W3: a machine whose answer was lost is found by what was not there before", async () => {
  using made = supervisedRig();
  const { rig, dependencies } = made;
  await made.rent("other");
  rig.colab.setFaults({ new: "crash-after-assign*1" });
  const lease = await made.rent("a");
  expect([lease.endpoint, rig.colab.billing()]).toEqual([null, expect.any(Array)]);
  expect(rig.colab.billing()).toHaveLength(2);

  const outcome = await releaseRuntime(dependencies, { ...REQUEST, lease, as: "failed" });

  expect(outcome).toMatchObject({ kind: "released", lease: { phase: "failed" } });
  expect(rig.colab.billing()).toHaveLength(1);
});

test("a machine of other hardware than was asked for is named, and not released on a guess", async () => {
  using made = supervisedRig();
  const { rig, dependencies } = made;
  const lease = await made.begin("a");
  await rig.driver.create({ name: "b", sku: "L4" });

  const outcome = await releaseRuntime(dependencies, { ...REQUEST, lease });

  const [machine] = rig.colab.billing();
  expect(outcome).toMatchObject({
    kind: "unproven",
    notice: expect.stringContaining(`any of these may be its machine: ${machine?.endpoint}`),
  });
});

test("W2: what was never assigned is only believed once it could have been listed", async () => {
  using made = supervisedRig();
  const { rig, dependencies } = made;
  const lease = await made.begin("a");

  const early = await releaseRuntime(dependencies, { ...REQUEST, lease, as: "failed" });
  expect(early).toMatchObject({
    kind: "unproven",
    notice: expect.stringContaining("may still appear"),
  });
  rig.move(5 * MINUTE);
  const late = await releaseRuntime(dependencies, { ...REQUEST, lease: early.lease, as: "failed" });
  expect(late).toMatchObject({
    kind: "released",
    lease: { phase: "failed", release: { proof: { kind: "never_assigned" } } },
  });
});

test("T4: what Colab refused in so many words needs no wait", async () => {
  using made = supervisedRig();
  const lease = await made.begin("a", { was_refused: true });

  const outcome = await releaseRuntime(made.dependencies, { ...REQUEST, lease, as: "failed" });

  expect(outcome).toMatchObject({ kind: "released", lease: { phase: "failed" } });
});

test("W13: a disk that fails stops no release", async () => {
  using made = supervisedRig();
  const { rig, directory } = made;
  const lease = await made.rent("a");
  rmSync(directory, { recursive: true });
  writeFileSync(directory, "");

  const outcome = await releaseRuntime(made.dependencies, { ...REQUEST, lease });

  expect(rig.colab.billing()).toEqual([]);
  expect(outcome).toMatchObject({ kind: "released", lease: { phase: "stopped" } });
  expect(made.said).toContain("the lease could not be written");
});

test("a machine that listings do not show yet is not gone, whatever stop said", async () => {
  using made = supervisedRig({ list_lag_ms: 2 * MINUTE });
  const { rig, dependencies } = made;
  const { leases } = dependencies;
  await made.rent("a");
  const lease = await leases.update("a", () => ({ external: null }));
  rig.colab.setFaults({ stop: "lies*1", list_lag_ms: 2 * MINUTE });

  const early = await releaseRuntime(dependencies, { ...REQUEST, lease });
  expect(early).toMatchObject({ kind: "unproven", lease: { phase: "stopping" } });
  rig.move(5 * MINUTE);

  const late = await releaseRuntime(dependencies, { ...REQUEST, lease: early.lease });
  expect([late.kind, rig.colab.billing()]).toEqual(["released", []]);
});
