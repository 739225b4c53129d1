import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Faults } from "../../../support/fake-colab/faults.ts";
import { HOUR, MINUTE, T4_PLAN } from "../../../support/lease.ts";
import { type SupervisedRig, supervisedRig } from "../../../support/supervised-rig.ts";

const PLAN = { recipe: "llamacpp", sku: "T4" } as const;
const KEY = "llamacpp-t4";
const NAME = `bake-${KEY}`;

/** Prepares, and goes on with the release for so long. */
async function bakeIn(made: SupervisedRig, limit_ms = 20 * MINUTE) {
  const limit = new AbortController();
  const started = await made.process().bake(PLAN, limit.signal);
  if (!started.ok) throw new Error(started.problem);
  const outcome = await started.outcome;
  const until = made.rig.clock.now() + limit_ms;
  made.rig.colab.around = (_argv, run) => {
    if (made.rig.clock.now() > until) limit.abort();
    return run();
  };
  return { outcome, notices: await started.close(limit.signal) };
}

const released = (made: SupervisedRig) => {
  const place = join(made.directory, "released");
  return readdirSync(place).map((name) => JSON.parse(readFileSync(join(place, name), "utf8")));
};

test("S3-096: a machine without GPU prepares, what it made is kept whole, and it is proven gone", async () => {
  using made = supervisedRig({ boot_ms: 90 * MINUTE });

  const { outcome, notices } = await bakeIn(made);

  expect([outcome, notices, made.rig.colab.billing()]).toEqual([{ kind: "done" }, [], []]);
  const manifest = await made.baked.read(KEY);
  expect(manifest).toMatchObject({ schema: 1, key: KEY, python: "3.13", packages: ["fake==1.0"] });
  expect(await made.baked.readPart(KEY, 1)).toHaveLength(manifest?.parts[1]?.bytes ?? 0);
  expect(released(made)).toMatchObject([
    {
      name: NAME,
      phase: "stopped",
      sku: "CPU",
      external: { hardware: "CPU", variant: "DEFAULT" },
      watchdog: { ttl_s: 1800 },
      release: { proof: { kind: "absent" } },
    },
  ]);
  const asked = made.rig.colab.commands.find((argv) => argv.includes("new")) ?? [];
  expect(asked.slice(asked.indexOf("new"))).toEqual(["new", "-s", NAME]);
}, 30_000);

test("S3-084: its lease is on disk, with its deadlines, when Colab is asked", async () => {
  using made = supervisedRig();
  const seen: unknown[] = [];
  made.rig.colab.around = (argv, run) => {
    if (argv.includes("new")) {
      seen.push(JSON.parse(readFileSync(join(made.directory, `${NAME}.json`), "utf8")));
    }
    return run();
  };

  const started = await made.process().bake(PLAN);
  if (started.ok) await started.outcome;

  expect(seen).toMatchObject([
    {
      phase: "starting",
      endpoint: null,
      sku: "CPU",
      idle_minutes: 45,
      hard_deadline: expect.any(Number),
    },
  ]);
});

test("what is baked is sent to a machine with that GPU, which installs it", async () => {
  using made = supervisedRig();
  await bakeIn(made);
  const { begin, bringUp, supervisor } = made.process();
  await begin("a", { plan: { ...T4_PLAN, recipe: "llamacpp" }, served_model: "qwen" });

  const outcome = await bringUp("a");

  expect(outcome).toEqual({ kind: "ready" });
  expect(made.rig.colab.billing()).toMatchObject([{ launch: { is_baked: true } }]);
  expect(supervisor.find("a")?.events.map(({ what }) => what)).toContain(
    `sending what was baked: ${KEY}`,
  );
});

test.each<{ what: string; faults?: Faults; spoil?: (path: string) => void; says: string }>([
  { what: "it does not arrive", faults: { upload: "fail*4" }, says: "access expired" },
  {
    what: "it is damaged",
    spoil: (path) => writeFileSync(join(path, "part-001"), new Uint8Array(22)),
    says: "bake it again",
  },
])("where $what a start goes on without it", async ({ faults = {}, spoil, says }) => {
  using made = supervisedRig();
  await bakeIn(made);
  const path = (await made.baked.list())[0]?.path ?? "";
  const size = (await made.baked.read(KEY))?.parts[1]?.bytes ?? 0;
  spoil?.(path);
  if (spoil !== undefined) writeFileSync(join(path, "part-001"), new Uint8Array(size));
  const { begin, bringUp, supervisor } = made.process();
  await begin("a", { plan: { ...T4_PLAN, recipe: "llamacpp" }, served_model: "qwen" });
  made.rig.colab.around = (argv, run) => {
    // The secrets have come by then.
    if (argv.some((word) => word.includes("baked-"))) made.rig.colab.setFaults(faults);
    return run();
  };

  const outcome = await bringUp("a");

  expect(outcome).toEqual({ kind: "ready" });
  expect(made.rig.colab.billing()).toMatchObject([{ launch: { is_baked: false } }]);
  const events = supervisor.find("a")?.events.map(({ what }) => what) ?? [];
  expect(events.join("\n")).toContain(says);
});

test.each<{ what: string; faults: Faults; message: string }>([
  { what: "Colab refuses", faults: { new: "412" }, message: "refuses another machine" },
  { what: "no watchdog runs", faults: { watchdog: "no" }, message: "cannot be made to release" },
  { what: "another machine comes", faults: { new: "wrong-gpu" }, message: "L4 in place of CPU" },
  { what: "the build fails", faults: { bake_fail: "nvcc died" }, message: "nvcc died" },
  { what: "scripts raise", faults: { exec: "traceback" }, message: "boom" },
  { what: "nothing can be fetched", faults: { download: "fail" }, message: "access expired" },
  { what: "parts come cut", faults: { download: "cut" }, message: "did not come whole" },
  {
    what: "the machine goes",
    faults: { boot_ms: HOUR, vanish_after_ms: 10 * MINUTE },
    message: "its machine is gone",
  },
])(
  "S3-085: where $what, nothing is kept or billed, and it is said",
  async ({ faults, message }) => {
    using made = supervisedRig(faults);

    const { outcome, notices } = await bakeIn(made);

    expect(outcome).toMatchObject({ kind: "failed", message: expect.stringContaining(message) });
    expect([notices, made.rig.colab.billing(), await made.baked.list()]).toEqual([[], [], []]);
  },
);

test("what cannot be kept here is no reason to keep the machine", async () => {
  using made = supervisedRig();
  const place = join(dirname(made.directory), "baked");
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, "a file where a directory has to be");

  const { outcome } = await bakeIn(made);

  expect(outcome).toMatchObject({ kind: "failed", message: expect.stringContaining("kept here") });
  expect(made.rig.colab.billing()).toEqual([]);
});

test("S3-091: a process that dies while it fetches leaves nothing that a start would use", async () => {
  using made = supervisedRig();
  const first = made.process();
  const dead = Promise.withResolvers<void>();
  made.rig.colab.around = (argv, run) => {
    if (!argv.some((word) => word.endsWith("baked-001"))) return run();
    dead.resolve();
    return new Promise(() => undefined);
  };
  await first.bake(PLAN);
  await dead.promise;
  first.kill();
  made.rig.colab.around = (_argv, run) => run();

  const left = await made.baked.list();
  const second = made.process();
  await second.supervisor.start();
  await second.pass(10 * MINUTE);

  expect(left).toMatchObject([{ manifest: null }]);
  expect(await made.baked.read(KEY)).toBeNull();
  expect(made.told.join("\n")).toContain(`MAY STILL BE BILLING ${NAME} CPU`);
  expect([made.rig.colab.billing(), await second.leases.list()]).toEqual([[], []]);
});

test("a release that is not proven is said, and its lease stays for whoever comes", async () => {
  using made = supervisedRig({ stop: "500" });

  const { notices } = await bakeIn(made);

  expect(notices).toEqual([expect.stringContaining(`MAY STILL BE BILLING ${NAME} CPU`)]);
  expect(existsSync(join(made.directory, `${NAME}.json`))).toBe(true);
  made.rig.colab.setFaults({});
  const next = made.process();
  next.kill();
  await next.supervisor.start();
  await next.pass(10 * MINUTE);
  expect([made.rig.colab.billing(), await next.leases.list()]).toEqual([[], []]);
}, 30_000);

test("S3-093: a machine of which only the listing knows is never released on a guess, and said with the way out", async () => {
  using made = supervisedRig({ new: "crash-after-assign*1" });

  const { notices } = await bakeIn(made);
  const [machine] = made.rig.colab.billing();
  const endpoint = machine?.endpoint ?? "none";
  await made.begin("found", { endpoint, phase: "degraded", external: null });
  const next = made.process();
  next.kill();
  await next.supervisor.start();
  await next.pass(10 * MINUTE);

  expect(notices).toEqual([expect.stringContaining(`MAY STILL BE BILLING ${NAME} CPU`)]);
  expect(made.told.join("\n") + notices.join("")).toContain(endpoint);
  expect(await next.leases.list()).toMatchObject([{ name: "found" }]);
  expect(made.rig.colab.billing()).toMatchObject([{ endpoint }]);
}, 30_000);

test("runtimes of others are not taken over, and do not end with it", async () => {
  using made = supervisedRig();
  const { rent, kill, leases } = made.process();
  await rent("mine", { phase: "detached" });
  kill();

  await bakeIn(made);

  expect(await leases.list()).toMatchObject([{ name: "mine", lease: { phase: "detached" } }]);
  expect(made.rig.colab.billing()).toMatchObject([{ accelerator: "T4" }]);
});

test("while one is being made, another of its kind is refused", async () => {
  using made = supervisedRig({ boot_ms: HOUR });
  const second = made.process();
  let again: Promise<unknown> | undefined;
  made.rig.colab.around = async (argv, run) => {
    // Answered before the first goes on: both live by one clock.
    if (argv.includes("upload") || argv.includes("exec")) await (again ??= second.bake(PLAN));
    return run();
  };

  const { outcome } = await bakeIn(made);

  expect(outcome).toEqual({ kind: "done" });
  const problem = expect.stringContaining(`\`${NAME}\` already`);
  expect(await again).toMatchObject({ ok: false, problem });
}, 30_000);

test("S3-084: without a place for its lease nothing is rented", async () => {
  using made = supervisedRig();
  mkdirSync(dirname(made.directory), { recursive: true });
  writeFileSync(made.directory, "a file where a directory has to be");

  const started = await made.process().bake(PLAN);

  expect(started.ok).toBe(false);
  expect(made.rig.colab.commands.flat()).not.toContain("new");
});
