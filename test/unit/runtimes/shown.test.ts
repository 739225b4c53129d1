/** What is shown of runtimes whose file does not say what this process knows. */
import { expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type RuntimesRig, runtimesRig, WISH } from "../../support/runtimes-rig.ts";
import { until } from "../../support/until.ts";

const fileOf = ({ state_dir }: RuntimesRig) => join(state_dir, "runtimes", "gpu.json");

/** One that is rented, and whose first script does not come back until it is let go. */
async function renting() {
  const made = runtimesRig();
  const [came, goes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  made.rig.colab.around = async (argv, run) => {
    if (argv.includes("exec")) {
      came.resolve();
      await goes.promise;
    }
    return run();
  };
  await made.runtimes.up(WISH);
  await came.promise;
  return { ...made, letGo: goes.resolve };
}

test.each([
  {
    what: "is gone",
    damage: (made: RuntimesRig) => rmSync(fileOf(made)),
    doubt: "its lease file is gone; it is watched from memory",
  },
  {
    what: "is damaged",
    damage: (made: RuntimesRig) => writeFileSync(fileOf(made), "{"),
    doubt: "it holds no JSON object",
  },
])("a runtime whose file $what is still shown by whoever answers for it", async (given) => {
  using made = await renting();
  given.damage(made);

  const seen = { phase: "starting", watched_by: 1, notice: null };
  const expected = { name: "gpu", ...seen, doubts: [given.doubt] };
  expect(await made.runtimes.find("gpu")).toMatchObject(expected);
  expect(await made.runtimes.list()).toMatchObject([expected]);
});

test("a runtime whose file is gone is released all the same, and known as released then", async () => {
  using made = await renting();
  const { runtimes, rig } = made;
  rmSync(fileOf(made));

  const answer = await runtimes.down("gpu");
  made.letGo();
  await until(async () => (await runtimes.find("gpu"))?.phase === "failed");

  expect(answer).toMatchObject({ ok: true });
  expect([rig.colab.billing(), await runtimes.list()]).toEqual([[], []]);
});

test("one that nobody here knows is none", async () => {
  using made = runtimesRig();

  expect([await made.runtimes.find("gpu"), await made.runtimes.list()]).toEqual([null, []]);
});
