/** What was proven to cost nothing while the disk took nothing, once it takes files again. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { MINUTE, T4_PLAN } from "../../support/lease.ts";
import { type SupervisedRig, supervisedRig } from "../../support/supervised-rig.ts";

const NEW = { plan: T4_PLAN, served_model: "qwen", sku: "T4" } as const;

const released = (made: SupervisedRig) => {
  const place = join(made.directory, "released");
  return readdirSync(place).map((name) => JSON.parse(readFileSync(join(place, name), "utf8")));
};

test("W13: it is put away with its proof, and a new machine is not taken for its", async () => {
  using made = supervisedRig();
  const { rig, disk } = made;
  const { begin, bringUp, supervisor, pass, leases } = made.process();
  await begin("a", NEW);
  rig.colab.around = async (argv, run) => {
    const result = await run();
    if (argv.includes("new")) disk.isFull = true;
    return result;
  };
  await bringUp("a");
  const endpoint = rig.colab.billing()[0]?.endpoint;
  await supervisor.release("a", { why: "a person" });
  await pass(MINUTE);
  const onFull = [rig.colab.billing(), supervisor.leases()];
  const [left] = await leases.list();
  const told = made.told.length;
  rig.colab.around = (_argv, run) => run();
  disk.isFull = false;
  await rig.driver.create({ name: "notebook", sku: "T4" });

  await pass(10 * MINUTE);

  expect([onFull, left]).toMatchObject([
    [[], []],
    { lease: { phase: "starting", endpoint: null } },
  ]);
  expect([rig.colab.billing().length, made.told.slice(told)]).toEqual([1, []]);
  expect(await leases.list()).toEqual([]);
  expect(released(made)).toMatchObject([
    { phase: "stopped", endpoint, release: { proof: { kind: "absent", endpoint } } },
  ]);
});

async function full(): Promise<never> {
  throw new Error("no space left");
}

test("W13: where the file lost even that, its end is written anew", async () => {
  using made = supervisedRig();
  const { rig } = made;
  const { rent, supervisor, pass, leases } = made.process();
  await rent("a", { base_url: "http://127.0.0.1:18000/v1", phase: "ready" });
  const { update, archive } = leases;
  Object.assign(leases, { update: full, archive: full });
  await supervisor.release("a", { why: "a person" });
  await pass(MINUTE);
  Object.assign(leases, { update, archive });

  await pass(MINUTE);

  expect([rig.colab.billing(), await leases.list(), made.told]).toEqual([[], [], []]);
  expect(released(made)).toMatchObject([
    { phase: "stopped", release: { proof: { kind: "absent" } } },
  ]);
});
