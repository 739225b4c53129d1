import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { HOUR, MINUTE, someLease } from "../../support/lease.ts";
import { supervisedRig } from "../../support/supervised-rig.ts";

const READY = { phase: "ready", base_url: "http://127.0.0.1:18000/v1" } as const;
const never = new AbortController().signal;

function watchdogOf(seen_at: number) {
  return { installed_at: seen_at, ttl_s: 1800, heartbeat_s: 300, seen_at };
}

test("a start with no lease asks nobody anything", async () => {
  using made = supervisedRig();
  const { supervisor, pass } = made.process();

  await supervisor.start();
  await pass(10 * MINUTE);

  expect([made.rig.colab.commands, made.told]).toEqual([[], []]);
});

test("T9: without traffic a runtime is released when its idle time is over", async () => {
  using made = supervisedRig();
  const { rent, pass, leases } = made.process();
  await rent("a", READY);

  await pass(44 * MINUTE);
  expect(made.rig.colab.billing()).toHaveLength(1);
  await pass(2 * MINUTE);

  expect(made.rig.colab.billing()).toEqual([]);
  expect(await leases.list()).toEqual([]);
  expect(made.told).toEqual(["a will be released in 10 min: nobody uses it"]);
});

test("T9: traffic and a long stream keep it, and its last activity is on disk", async () => {
  using made = supervisedRig();
  const { rent, pass, supervisor, leases } = made.process();
  await rent("a", READY);
  await pass(40 * MINUTE);
  supervisor.noteActivity("a", "start");
  await pass(HOUR);
  expect(made.rig.colab.billing()).toHaveLength(1);
  supervisor.noteActivity("a", "end");
  const at = made.rig.clock.now();
  await pass(44 * MINUTE);

  expect(made.rig.colab.billing()).toHaveLength(1);
  expect(await leases.read("a")).toMatchObject({ lease: { last_activity_at: at } });
  await pass(2 * MINUTE);
  expect(made.rig.colab.billing()).toEqual([]);
});

test("T10: a busy runtime is released at the end of its life, though a probe hangs", async () => {
  using made = supervisedRig();
  const { rent, supervisor, attachments } = made.process();
  await rent("a", READY);
  supervisor.noteActivity("a", "start");
  const hanging = Promise.withResolvers<boolean>();
  attachments.probe = () => hanging.promise;
  await supervisor.tick();
  made.rig.move(4 * HOUR);

  await supervisor.tick();
  hanging.resolve(false);
  await supervisor.settled();

  expect(made.rig.colab.billing()).toEqual([]);
});

test("T13: three misses degrade and are said, one answer restores, and nothing is released for it", async () => {
  using made = supervisedRig();
  const { rent, pass, supervisor, attachments } = made.process();
  await rent("a", READY);
  attachments.probe = async () => false;
  await pass(2 * MINUTE);
  expect(supervisor.leases()).toMatchObject([{ phase: "ready" }]);
  await pass(10 * MINUTE);
  expect(supervisor.leases()).toMatchObject([{ phase: "degraded" }]);
  attachments.probe = async () => true;
  await pass(2 * MINUTE);

  expect(supervisor.leases()).toMatchObject([{ phase: "ready", liveness_misses: 0 }]);
  expect(made.rig.colab.billing()).toHaveLength(1);
  expect(made.told).toEqual([
    expect.stringMatching(/^MAY STILL BE BILLING a T4 .*: it does not answer$/),
    "a answers again",
  ]);
});

test("a machine that Colab takes away is settled once two listings lack it", async () => {
  using made = supervisedRig();
  const { rent, pass, attachments, leases } = made.process();
  await rent("a", READY);
  attachments.probe = async () => false;
  made.rig.colab.server.transact((state) => void (state.machines = []));

  await pass(20 * MINUTE);

  expect(await leases.list()).toEqual([]);
  expect(made.told).toEqual([
    expect.stringMatching(/^MAY STILL BE BILLING a T4 .*: it does not answer$/),
    "a costs nothing any more: two listings lack its machine",
  ]);
});

test("T20: a tick that fails once is followed by one that releases", async () => {
  using made = supervisedRig();
  const { rent, supervisor, pass, leases } = made.process();
  await rent("a", READY);
  const { list } = leases;
  Object.assign(leases, { list: () => Promise.reject(new Error("no")) });
  await supervisor.tick();
  Object.assign(leases, { list });
  await pass(46 * MINUTE);

  expect(made.said).toEqual(["a tick of the supervisor failed; the next one comes"]);
  expect(made.rig.colab.billing()).toEqual([]);
});

test("T8: a release that fails goes on until it is proven, and is said every time", async () => {
  using made = supervisedRig();
  const { rent, pass, leases } = made.process();
  await rent("a", READY);
  made.rig.colab.setFaults({ stop: "500*5" });
  await pass(HOUR);

  expect(made.told.filter((text) => text.startsWith("MAY STILL BE BILLING a T4"))).toHaveLength(5);
  expect(made.rig.colab.billing()).toEqual([]);
  expect(await leases.list()).toEqual([]);
});

test("T21: a process that ends leaves what a watchdog watches, and releases the rest", async () => {
  using made = supervisedRig();
  const { rent, supervisor, leases } = made.process();
  const now = made.rig.clock.now();
  await rent("watched", { ...READY, watchdog: watchdogOf(now) });
  await rent("alone", READY);

  expect(await supervisor.close(never)).toEqual([]);

  expect(await leases.list()).toMatchObject([{ name: "watched", lease: { phase: "detached" } }]);
  expect(made.rig.colab.billing()).toHaveLength(1);
  expect(made.told).toEqual([
    expect.stringMatching(/^watched goes on; its watchdog releases it by/),
  ]);

  const next = made.process();
  await next.supervisor.start();
  await next.supervisor.settled();
  expect(next.supervisor.leases()).toMatchObject([{ name: "watched", phase: "ready" }]);
});

test("T21: what cannot be released in time is said", async () => {
  using made = supervisedRig({});
  const { rent, supervisor } = made.process();
  await rent("a", READY);
  made.rig.colab.setFaults({ stop: "500" });
  const limit = new AbortController();
  const end = made.rig.clock.now() + 180_000;
  made.rig.colab.around = (_argv, run) => {
    if (made.rig.clock.now() > end) limit.abort();
    return run();
  };

  expect(await supervisor.close(limit.signal)).toEqual([
    expect.stringMatching(/^MAY STILL BE BILLING a T4/),
  ]);
});

test("T21: one that cannot be left cuts short no other's release, and is said", async () => {
  using made = supervisedRig();
  const { rent, supervisor, attachments } = made.process();
  await rent("stuck", { ...READY, watchdog: watchdogOf(made.rig.clock.now()) });
  await rent("alone", READY);
  attachments.close = async (name) => {
    if (name === "stuck") throw new Error("no");
  };

  expect(await supervisor.close(never)).toEqual([
    expect.stringMatching(/^MAY STILL BE BILLING stuck T4/),
  ]);

  expect(made.rig.colab.billing()).toHaveLength(1);
});

test("T21: a process that is ended while it starts leaves none of what it found", async () => {
  using made = supervisedRig();
  const first = made.process();
  await first.rent("a", READY);
  first.kill();
  const { supervisor } = made.process();

  const started = supervisor.start();
  const notices = await supervisor.close(never);
  await started;

  expect([notices, made.rig.colab.billing()]).toEqual([[], []]);
});

function noSpace(): never {
  throw new Error("no space left");
}

test("W13: one whose lock the disk does not take is said once and answered for, and so are the others", async () => {
  using made = supervisedRig();
  const first = made.process();
  await first.rent("a", READY);
  await first.rent("b", READY);
  first.kill();
  const { supervisor, pass, leases } = made.process();
  const { lock } = leases;
  const full = (name: string) => {
    if (name === "a") throw new Error("no space left");
    return lock(name);
  };
  Object.assign(leases, { lock: full });

  await supervisor.start();
  await pass(MINUTE);

  expect(supervisor.leases()).toMatchObject([
    { name: "a", phase: "ready" },
    { name: "b", phase: "ready" },
  ]);
  expect(made.told).toEqual([
    expect.stringMatching(/^MAY STILL BE BILLING a T4.*: no space left$/),
    expect.stringMatching(/^MAY STILL BE BILLING b T4/),
  ]);
});

test("W13: on a disk that takes nothing a deadline releases once, and the lease goes when it takes something", async () => {
  using made = supervisedRig();
  const first = made.process();
  await first.rent("a", READY);
  first.kill();
  const { supervisor, pass, leases } = made.process();
  const { lock, update, archive } = leases;
  const fullLater = async () => noSpace();
  Object.assign(leases, { lock: noSpace, update: fullLater, archive: fullLater });

  await supervisor.start();
  await pass(4 * HOUR);
  const stops = () => made.rig.colab.commands.filter((argv) => argv.includes("stop")).length;
  const onFull = [made.rig.colab.billing(), supervisor.leases(), stops()];
  const [left] = await leases.list();
  Object.assign(leases, { lock, update, archive });
  await pass(5 * MINUTE);

  expect(onFull).toEqual([[], [], 1]);
  expect(left).toMatchObject({ lease: { name: "a", phase: "ready" } });
  expect(await leases.list()).toEqual([]);
});

test("W11, W13: what was answered for without a lock is left to whoever has it", async () => {
  using made = supervisedRig();
  const first = made.process();
  await first.rent("a", READY);
  first.kill();
  const { supervisor, pass, leases } = made.process();
  const { lock } = leases;
  Object.assign(leases, { lock: noSpace });
  await supervisor.start();
  const without = supervisor.leases().length;
  const second = made.process();
  await second.supervisor.start();
  Object.assign(leases, { lock });
  await pass(MINUTE);

  expect([without, supervisor.leases(), second.supervisor.leases().length]).toEqual([1, [], 1]);
});

test("W11: two processes: one answers for it, the other once that is dead", async () => {
  using made = supervisedRig();
  const first = made.process();
  await first.rent("a", READY);
  const second = made.process();
  await second.supervisor.start();
  await second.pass(MINUTE);
  expect(second.supervisor.leases()).toEqual([]);

  first.kill();
  await second.pass(MINUTE);

  expect(second.supervisor.leases()).toMatchObject([{ name: "a", phase: "ready" }]);
});

test("T12, T15, T17: a start says first what costs money, and what no lease accounts for", async () => {
  using made = supervisedRig();
  const first = made.process();
  await first.rent("a", READY);
  await made.rig.driver.create({ name: "stray", sku: "L4" });
  first.kill();
  mkdirSync(made.directory, { recursive: true });
  writeFileSync(join(made.directory, "torn.json"), "{");
  const { supervisor } = made.process();

  await supervisor.start();

  expect(made.told).toEqual([
    expect.stringMatching(/^MAY STILL BE BILLING a T4/),
    expect.stringMatching(/^MAY STILL BE BILLING torn: its lease is unreadable/),
    expect.stringMatching(/ \(L4\) runs, .*: veriroute runtimes adopt gpu-l4-/),
  ]);
});

test("a lease of an earlier life whose time is over is released before Colab is asked what there is", async () => {
  using made = supervisedRig();
  const first = made.process();
  await first.rent("a", READY);
  first.kill();
  made.rig.move(5 * HOUR);
  const { supervisor } = made.process();
  made.rig.colab.setFaults({ sessions: "500*1" });

  await supervisor.start();
  await supervisor.settled();

  expect(made.rig.colab.commands.some((words) => words.includes("stop"))).toBe(true);
  expect(made.rig.colab.billing()).toEqual([]);
});

test("what is proven or was never asked for is put away at the start", async () => {
  using made = supervisedRig();
  await made.begin("planned", { phase: "planned" });
  const proof = {
    kind: "absent",
    first_listing_at: 1,
    second_listing_at: 2,
    endpoint: "gpu-1",
  } as const;
  await made.begin("done", {
    phase: "stopped",
    release: { ...someLease().release, proof },
  });
  const { supervisor, leases } = made.process();

  await supervisor.start();
  await supervisor.settled();

  expect(await leases.list()).toEqual([]);
  expect(made.told).toEqual([]);
});

test("two that release at once make one attempt", async () => {
  using made = supervisedRig();
  const { rent, supervisor } = made.process();
  await rent("a", READY);

  const outcomes = await Promise.all([
    supervisor.release("a", { why: "one said so" }),
    supervisor.release("a", { why: "another said so" }),
  ]);

  expect(outcomes.map((outcome) => outcome?.kind)).toEqual(["released", "released"]);
  expect(made.rig.colab.commands.filter((words) => words.includes("stop"))).toHaveLength(1);
  expect(await supervisor.release("a", { why: "late" })).toBeNull();
});

test("activity that comes while the last one is being written is not lost", async () => {
  using made = supervisedRig();
  const { rent, supervisor, leases } = made.process();
  await rent("a", READY);
  supervisor.noteActivity("a", "start");
  await supervisor.tick();
  made.rig.move(5000);
  supervisor.noteActivity("a", "end");
  const at = made.rig.clock.now();

  await supervisor.settled();
  expect(supervisor.leases()).toMatchObject([{ last_activity_at: at }]);
  await supervisor.tick();
  await supervisor.settled();

  expect(await leases.read("a")).toMatchObject({ lease: { last_activity_at: at } });
});

test("the machine of another process's runtime is nobody's orphan, and never taken for one of ours", async () => {
  using made = supervisedRig();
  const other = made.process();
  const dying = made.process();
  await dying.begin("a");
  await other.rent("b", READY);
  // Only the lock of `a` goes with its process.
  made.free("a");
  const { supervisor, pass, leases } = made.process();

  await supervisor.start();
  await pass(10 * MINUTE);

  expect(made.rig.colab.billing()).toHaveLength(1);
  expect(made.told.filter((text) => text.includes("adopt"))).toEqual([]);
  expect((await leases.list()).map(({ name }) => name)).toEqual(["b"]);
});
