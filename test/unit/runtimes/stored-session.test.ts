import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Faults } from "../../support/fake-colab/faults.ts";
import { MINUTE, T4_PLAN } from "../../support/lease.ts";
import { type SupervisedRig, supervisedRig } from "../../support/supervised-rig.ts";
import { until } from "../../support/until.ts";

const NEW = { plan: T4_PLAN, served_model: "qwen", sku: "T4" } as const;

const LAG = { list_lag_ms: 3 * MINUTE } as const;

/** Has the first process die once `colab new` has come to its end; settles then. */
function killedAfterNew({ rig }: SupervisedRig): Promise<void> {
  const dead = Promise.withResolvers<void>();
  rig.colab.around = async (argv, run) => {
    const result = await run();
    if (!argv.includes("new")) return result;
    dead.resolve();
    return new Promise(() => undefined);
  };
  return dead.promise;
}

test.each<{ what: string; faults: Faults; isBake: boolean }>([
  { what: "a machine without GPU", faults: {}, isBake: true },
  { what: "one without GPU that listings show late", faults: LAG, isBake: true },
  { what: "one that listings show late, beside a new notebook,", faults: LAG, isBake: false },
])("W4: $what is released by what `colab` has noted itself", async ({ faults, isBake }) => {
  using made = supervisedRig(faults);
  const { rig } = made;
  const first = made.process();
  const dead = killedAfterNew(made);
  if (isBake) void first.bake({ recipe: "llamacpp", sku: "T4" });
  else void first.up("a", NEW);
  await dead;
  first.kill();
  rig.colab.around = (_argv, run) => run();
  rig.colab.setFaults({});
  await rig.driver.create({ name: "notebook", sku: isBake ? null : "T4" });
  const notebook = rig.colab.billing().at(-1)?.endpoint ?? "none";

  const next = made.process();
  await next.supervisor.start();
  await next.pass(12 * MINUTE);

  expect(rig.colab.billing()).toMatchObject([{ endpoint: notebook }]);
  expect(await next.leases.list()).toEqual([]);
  expect(rig.colab.server.transact(({ releases }) => releases)).toHaveLength(1);
});

test.each<{ what: string; sku: "T4" | "CPU"; faults: Faults; attempts: number }>([
  { what: "a machine", sku: "T4", faults: {}, attempts: 1 },
  { what: "a machine without GPU", sku: "CPU", faults: {}, attempts: 1 },
  { what: "a machine whose stop fails", sku: "CPU", faults: { stop: "500*1" }, attempts: 2 },
])(
  "$what that Colab gives while its release is under way is known by it, and released at once",
  async (row) => {
    using made = supervisedRig(row.faults);
    const { rig } = made;
    const { begin, bringUp, supervisor, pass, leases } = made.process();
    await begin("a", { ...NEW, sku: row.sku });
    let release: Promise<unknown> | undefined;
    rig.colab.around = async (argv, run) => {
      if (!argv.includes("new")) return run();
      release = supervisor.release("a", { why: "a person" });
      // As far as the release gets without the answer.
      await until(async () => JSON.stringify(await leases.read("a")).includes("stopping"));
      for (let look = 0; look < 10; look++) await leases.list();
      return run();
    };

    const outcome = await bringUp("a");
    await release;
    await pass(10 * MINUTE);

    expect([outcome, rig.colab.billing(), await leases.list()]).toEqual([
      { kind: "ended" },
      [],
      [],
    ]);
    const place = join(made.directory, "released");
    const [file = ""] = readdirSync(place);
    expect(JSON.parse(readFileSync(join(place, file), "utf8"))).toMatchObject({
      endpoint: rig.colab.server.transact(({ releases }) => releases[0]?.endpoint),
      release: { attempts: row.attempts, proof: { kind: "absent" } },
    });
  },
);
