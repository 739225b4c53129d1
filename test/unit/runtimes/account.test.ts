/** The account that a machine is on: what the listings of another one lack, or show, says nothing of it. */
import { expect, test } from "bun:test";

import type { Account } from "../../../src/runtimes/lease.ts";
import { isOfAccount } from "../../../src/runtimes/policy/absence.ts";
import { attribute } from "../../../src/runtimes/policy/orphans.ts";
import { releaseRuntime } from "../../../src/runtimes/release-runtime.ts";
import type { Faults } from "../../support/fake-colab/faults.ts";
import { HOUR, listing, MINUTE, session, someLease, T4_PLAN } from "../../support/lease.ts";
import { supervisedRig } from "../../support/supervised-rig.ts";

const NEW = { plan: T4_PLAN, served_model: "qwen", sku: "T4" } as const;
const READY = { phase: "ready", base_url: "http://127.0.0.1:18000/v1" } as const;
const REQUEST = { why: "its life is over", as: "stopped" } as const;

const OURS: Account = { auth: "oauth2", email: "somebody@example.org" };
const NAMELESS: Account = { auth: "adc", email: null };

test.each<{ what: string; lease: Account | null; asked: Account | undefined; isOurs: boolean }>([
  { what: "the same login", lease: OURS, asked: OURS, isOurs: true },
  {
    what: "the same address by another way",
    lease: OURS,
    asked: { ...OURS, auth: "adc" },
    isOurs: true,
  },
  {
    what: "another address",
    lease: OURS,
    asked: { ...OURS, email: "b@example.org" },
    isOurs: false,
  },
  { what: "a login without address", lease: OURS, asked: NAMELESS, isOurs: false },
  { what: "a login that could not be told", lease: OURS, asked: undefined, isOurs: false },
  { what: "no address, then and now", lease: NAMELESS, asked: NAMELESS, isOurs: true },
  { what: "no address, by another way", lease: NAMELESS, asked: OURS, isOurs: false },
  { what: "a lease of before that was noted", lease: null, asked: undefined, isOurs: true },
])("$what is the account of a lease: $isOurs", ({ lease, asked, isOurs }) => {
  const shown = { ...listing(0), ...(asked === undefined ? {} : { account: asked }) };

  expect(isOfAccount({ account: lease }, shown)).toBe(isOurs);
});

test("a machine that another account lists is not taken for one whose answer was lost", () => {
  const lease = someLease({ phase: "starting", endpoint: null, external: null, account: OURS });
  const shown = listing(0, session("gpu-new"));

  expect([
    attribute(lease, { ...shown, account: OURS }, []).kind,
    attribute(lease, { ...shown, account: { ...OURS, email: "b@example.org" } }, []).kind,
    attribute(lease, shown, []).kind,
  ]).toEqual(["one", "none", "none"]);
});

test("a machine's lease says on which account it is", async () => {
  using made = supervisedRig();
  const { up, supervisor, bake } = made.process();
  const started = await up("a", NEW);
  if (started.ok) await started.outcome;

  const baking = await bake({ recipe: "llamacpp", sku: "T4" });

  expect(supervisor.find("a")?.account).toEqual(OURS);
  expect(baking.ok && baking.lease.account).toEqual(OURS);
});

test("where nobody can say on which account it would be, nothing is rented", async () => {
  using made = supervisedRig({ whoami: "fail*1" });
  const { up } = made.process();

  const [refused, then] = [await up("a", NEW), await up("a", NEW)];

  expect(refused).toMatchObject({ ok: false, problem: expect.stringContaining("which account") });
  expect(then.ok && (await then.outcome)).toEqual({ kind: "ready" });
});

test.each<{ what: string; faults: Faults }>([
  { what: "another login", faults: { account: "other@example.org" } },
  { what: "a login that cannot be told", faults: { stop: "lies", whoami: "fail" } },
  { what: "a login that names nobody", faults: { stop: "lies", whoami: "nobody" } },
])("11.5: under $what no release is proven, and that is said", async ({ faults }) => {
  using made = supervisedRig();
  const { rig, dependencies } = made;
  const lease = await made.rent("a");
  rig.colab.setFaults(faults);

  const outcome = await releaseRuntime(dependencies, { ...REQUEST, lease });
  const billing = rig.colab.billing().length;
  rig.colab.setFaults({});
  const again = await releaseRuntime(dependencies, { ...REQUEST, lease: outcome.lease });

  expect([billing, outcome]).toMatchObject([
    1,
    { kind: "unproven", notice: expect.stringContaining("`account`") },
  ]);
  expect([rig.colab.billing(), again.kind]).toEqual([[], "released"]);
});

test.each([
  { what: "was used", isUsed: true },
  { what: "was being brought up, its answer lost,", isUsed: false },
])(
  "11.5: a runtime that $what is not gone because another account lacks it",
  async ({ isUsed }) => {
    using made = supervisedRig(isUsed ? {} : { new: "crash-after-assign*1" });
    const { rig } = made;
    const first = made.process();
    if (isUsed) await first.rent("a", READY);
    else await first.begin("a", NEW);
    if (!isUsed) await rig.driver.create({ name: "a", sku: "T4" });
    first.kill();
    rig.colab.setFaults({ account: "other@example.org" });
    const { supervisor, leases, pass } = made.process();

    await supervisor.start();
    await pass(20 * MINUTE);
    const kept = (await leases.list()).length;
    rig.colab.setFaults({});
    await pass(5 * HOUR);

    expect(kept).toBe(1);
    expect(made.told.filter((text) => text.includes("`account`"))).toEqual([
      expect.stringMatching(/^MAY STILL BE BILLING a T4 .*: the login of `colab` now is not/),
    ]);
    expect([rig.colab.billing(), await leases.list()]).toEqual([[], []]);
  },
);

test("a lease of before accounts were noted is released as it was", async () => {
  using made = supervisedRig();
  const { rig, dependencies } = made;
  await made.rent("a");
  const lease = await dependencies.leases.update("a", () => ({ account: null }));
  rig.colab.setFaults({ whoami: "fail" });

  const outcome = await releaseRuntime(dependencies, { ...REQUEST, lease });

  expect([rig.colab.billing(), outcome.kind]).toEqual([[], "released"]);
});
