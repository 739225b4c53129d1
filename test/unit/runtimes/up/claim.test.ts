import { expect, test } from "bun:test";

import { HOUR, MINUTE, someLease, T4_PLAN } from "../../../support/lease.ts";
import { type SupervisedRig, supervisedRig } from "../../../support/supervised-rig.ts";

const NEW = { plan: T4_PLAN, served_model: "qwen", sku: "T4" } as const;

const news = ({ rig }: SupervisedRig) =>
  rig.colab.commands.filter((words) => words.includes("new")).length;

test.each<{ what: string; killed: boolean }>([
  { what: "is being released", killed: false },
  { what: "was left by a process that died", killed: true },
])(
  "11.3: while nobody knows the machine of a lease that $what, no other is rented",
  async ({ killed }) => {
    using made = supervisedRig({ new: "timeout-leak*1", leak_ms: 4 * MINUTE });
    const first = made.process();
    if (killed) {
      await first.begin("a", NEW);
      await made.rig.driver.create({ name: "a", sku: "T4" });
      first.kill();
    } else {
      const started = await first.up("a", NEW);
      if (started.ok) await started.outcome;
    }
    const process = killed ? made.process() : first;
    await process.supervisor.start();

    const refused = await process.up("b", NEW);
    const asked = news(made);
    await process.pass(10 * MINUTE);
    const then = await process.up("b", NEW);

    expect([refused, asked]).toEqual([
      {
        ok: false,
        problem: expect.stringMatching(/^nobody knows yet which machine `a` was given/),
      },
      1,
    ]);
    expect([then.ok, then.ok && (await then.outcome)]).toEqual([true, { kind: "ready" }]);
    expect((await process.leases.list()).map(({ name }) => name)).toEqual(["b"]);
    expect(made.rig.colab.billing()).toHaveLength(1);
  },
);

test("11.3: a machine that two leases may have brought about is released for neither, and reported", async () => {
  using made = supervisedRig();
  const { begin, kill } = made.process();
  await begin("a", NEW);
  await begin("b", NEW);
  await made.rig.driver.create({ name: "elsewhere", sku: "T4" });
  kill();
  const { supervisor, pass, leases } = made.process();

  await supervisor.start();
  await pass(HOUR);

  const [machine] = made.rig.colab.billing();
  expect(made.told).toContainEqual(
    expect.stringMatching(new RegExp(`^MAY STILL BE BILLING a .*${machine?.endpoint}`)),
  );
  expect((await leases.list()).map(({ name }) => name)).toEqual(["a", "b"]);
});

test("a machine that becomes another lease's while Colab is asked is not taken for this one's", async () => {
  using made = supervisedRig();
  const { begin, supervisor, leases } = made.process();
  await begin("a", NEW);
  await made.rig.driver.create({ name: "elsewhere", sku: "T4" });
  const endpoint = made.rig.colab.billing()[0]?.endpoint ?? "none";
  let adopted: Promise<unknown> | undefined;
  made.rig.colab.around = async (argv, run) => {
    if (argv.includes("sessions"))
      await (adopted ??= leases.create(someLease({ name: "found", endpoint })));
    return run();
  };

  await supervisor.release("a", { why: "a person" });

  expect(made.rig.colab.billing()).toMatchObject([{ endpoint }]);
});
