/** What Colab refused in so many words: no machine can come of it, and whatever does is somebody else's. */
import { expect, test } from "bun:test";

import { MINUTE, T4_PLAN } from "../../support/lease.ts";
import { type SupervisedRig, supervisedRig } from "../../support/supervised-rig.ts";
import { until } from "../../support/until.ts";

const NEW = { plan: T4_PLAN, served_model: "qwen", sku: "T4" } as const;

/** A person opens a notebook on a GPU of that kind. */
async function openNotebook({ rig }: SupervisedRig): Promise<string | undefined> {
  rig.colab.setFaults({});
  rig.colab.around = (_argv, run) => run();
  await rig.driver.create({ name: "notebook", sku: "T4" });
  return rig.colab.billing().at(-1)?.endpoint;
}

test.each([
  { at: "the first listing", nth: 1 },
  { at: "the second listing", nth: 2 },
])(
  "a kill at $at of its proof takes no notebook of the same kind for its machine",
  async ({ nth }) => {
    using made = supervisedRig({ new: "400" });
    const { rig } = made;
    const first = made.process();
    await first.begin("a", NEW);
    const dead = Promise.withResolvers<void>();
    let listings = 0;
    rig.colab.around = (argv, run) => {
      listings += argv.includes("sessions") ? 1 : 0;
      if (listings < nth) return run();
      dead.resolve();
      return new Promise(() => undefined);
    };
    void first.bringUp("a");
    await dead.promise;
    first.kill();
    const endpoint = await openNotebook(made);

    const next = made.process();
    await next.supervisor.start();
    await next.pass(MINUTE);

    expect(rig.colab.billing()).toMatchObject([{ endpoint }]);
    expect(await next.leases.list()).toEqual([]);
  },
);

test("a refusal that comes while it is being released is known to every further attempt", async () => {
  using made = supervisedRig({ new: "400" });
  const { rig } = made;
  const { begin, bringUp, supervisor, leases, pass } = made.process();
  await begin("a", NEW);
  let release: Promise<unknown> | undefined;
  rig.colab.around = async (argv, run) => {
    if (argv.includes("new")) {
      release = supervisor.release("a", { why: "a person" });
      await until(async () => JSON.stringify(await leases.read("a")).includes("stopping"));
    }
    return run();
  };

  const outcome = await bringUp("a");
  await release;
  const endpoint = await openNotebook(made);
  await pass(MINUTE);

  expect(outcome).toEqual({ kind: "ended" });
  expect(rig.colab.billing()).toMatchObject([{ endpoint }]);
  expect(await leases.list()).toEqual([]);
});

test("a lease that waits for the proof of a refusal keeps nobody from renting", async () => {
  using made = supervisedRig({ new: "400*1" });
  const { rig } = made;
  const { begin, bringUp, up, supervisor, leases } = made.process();
  await begin("a", NEW);
  rig.colab.around = async (argv, run) => {
    const result = await run();
    if (argv.includes("new")) rig.colab.setFaults({ sessions: "500*1" });
    return result;
  };
  await bringUp("a");
  rig.colab.around = (_argv, run) => run();
  const waits = supervisor.leases().map(({ phase }) => phase);

  const started = await up("b", NEW);

  expect([waits, started.ok && (await started.outcome)]).toEqual([["stopping"], { kind: "ready" }]);
  expect((await leases.list()).map(({ name }) => name)).toEqual(["a", "b"]);
});
