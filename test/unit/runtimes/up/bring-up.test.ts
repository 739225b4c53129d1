import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Faults } from "../../../support/fake-colab/faults.ts";
import { HOUR, MINUTE, T4_PLAN } from "../../../support/lease.ts";
import { SERVER_KEY, supervisedRig } from "../../../support/supervised-rig.ts";

const NEW = { plan: T4_PLAN, served_model: "qwen", sku: "T4" } as const;

test("a machine is rented, guarded, served and attached, and its lease says each step", async () => {
  using made = supervisedRig();
  const { begin, bringUp, leases, supervisor } = made.process();
  await begin("a", NEW);

  const outcome = await bringUp("a");

  expect(outcome).toEqual({ kind: "ready" });
  const [machine] = made.rig.colab.billing();
  expect(machine).toMatchObject({ watchdog: { ttl_ms: 30 * MINUTE }, launch: { failure: null } });
  const file = await leases.read("a");
  expect(file).toMatchObject({
    lease: {
      phase: "ready",
      endpoint: machine?.endpoint,
      external: { hardware: "T4", variant: "GPU" },
      watchdog: { ttl_s: 1800, heartbeat_s: 300 },
    },
  });
  expect(supervisor.find("a")?.events.map(({ what }) => what)).toEqual([
    `Colab gave ${machine?.endpoint}`,
    "its watchdog runs",
    "it has Fake T4",
    "ready",
  ]);
});

test("one that served and is released has stopped, and not failed", async () => {
  using made = supervisedRig();
  const { begin, bringUp, supervisor } = made.process();
  await begin("a", NEW);
  await bringUp("a");
  made.rig.move(10 * MINUTE);

  const outcome = await supervisor.release("a", { why: "enough" });

  expect(outcome).toMatchObject({ kind: "released", lease: { phase: "stopped" } });
});

test("T2: the lease is on disk, whole and with both deadlines, when Colab is asked", async () => {
  using made = supervisedRig();
  const { begin, bringUp } = made.process();
  await begin("a", NEW);
  const seen: unknown[] = [];
  const read = () => JSON.parse(readFileSync(join(made.directory, "a.json"), "utf8"));
  made.rig.colab.around = (argv, run) => {
    if (argv.includes("new")) seen.push(read());
    return run();
  };

  await bringUp("a");

  expect(seen).toMatchObject([
    { phase: "starting", endpoint: null, hard_deadline: expect.any(Number), idle_minutes: 45 },
  ]);
});

test("the machine is told how long it has left, never when", async () => {
  using made = supervisedRig();
  const { begin, bringUp } = made.process();
  await begin("a", NEW);

  await bringUp("a");

  const [machine] = made.rig.colab.billing();
  const left = (machine?.watchdog?.deadline_at ?? 0) - made.rig.clock.now();
  expect(left).toBeGreaterThan(3.9 * HOUR);
  expect(left).toBeLessThanOrEqual(4 * HOUR);
});

const sshOf = (commands: readonly (readonly string[])[]) =>
  commands.filter(([program]) => program?.endsWith("ssh") === true);

test.each<{ what: string; faults: Faults; message: string }>([
  { what: "T4: Colab refuses the GPU", faults: { new: "400" }, message: "may not use this GPU" },
  { what: "T4: Colab has none free", faults: { new: "503" }, message: "no such GPU free" },
  {
    what: "T4: the answer is never listed",
    faults: { list_lag_ms: HOUR },
    message: "within 180 s",
  },
  { what: "T4: the command hangs", faults: { new: "hang" }, message: "took too long" },
  { what: "Colab gives another GPU", faults: { new: "wrong-gpu" }, message: "L4 in place of T4" },
  {
    what: "T5: scripts end with 0 and without their marker",
    faults: { exec: "silent" },
    message: "did not come to its end",
  },
  { what: "T5: scripts raise and end with 0", faults: { exec: "traceback" }, message: "boom" },
  { what: "no watchdog", faults: { watchdog: "no" }, message: "`--no-watchdog` accepts that" },
  { what: "keys cannot be put there", faults: { upload: "fail" }, message: "access expired" },
  {
    what: "the server runs out of memory",
    faults: { boot_fail: "CUDA out of memory" },
    message: "CUDA out of memory",
  },
  {
    what: "the machine goes while the server is installed",
    faults: { boot_ms: 2 * HOUR, vanish_after_ms: 20 * MINUTE },
    message: "its machine is gone",
  },
])("$what: released, never connected to, and said", async ({ faults, message }) => {
  using made = supervisedRig(faults);
  const { begin, bringUp, leases, pass } = made.process();
  await begin("a", NEW);

  const outcome = await bringUp("a");
  made.rig.colab.setFaults({});
  await pass(15 * MINUTE);

  expect(outcome).toMatchObject({ kind: "failed", message: expect.stringContaining(message) });
  expect([made.rig.colab.billing(), await leases.list()]).toEqual([[], []]);
  expect(sshOf(made.rig.colab.commands)).toEqual([]);
});

test("a server that takes too long is given up, and its machine released", async () => {
  using made = supervisedRig({ boot_ms: 2 * HOUR });
  const { begin, bringUp, leases } = made.process('enabled = true\nready_timeout = "20m"');
  await begin("a", NEW);

  const outcome = await bringUp("a");

  expect(outcome).toMatchObject({ message: expect.stringContaining("within 20 min") });
  expect([made.rig.colab.billing(), await leases.list()]).toEqual([[], []]);
});

test("what Colab refused in so many words is over at once", async () => {
  using made = supervisedRig({ new: "412" });
  const { begin, bringUp, leases } = made.process();
  await begin("a", NEW);

  const outcome = await bringUp("a");

  expect(outcome).toMatchObject({ kind: "failed", notice: null });
  expect(await leases.list()).toEqual([]);
});

test("a machine that cannot release itself is taken where the user accepts that", async () => {
  using made = supervisedRig({ watchdog: "no" });
  const { begin, bringUp, supervisor } = made.process();
  await begin("a", NEW);

  const outcome = await bringUp("a", { without_watchdog: true });

  expect(outcome).toEqual({ kind: "ready" });
  expect(supervisor.find("a")).toMatchObject({ phase: "ready", watchdog: null });
});

test("a tunnel that does not answer ends in a release that says so", async () => {
  using made = supervisedRig();
  const { begin, bringUp, attachments, leases } = made.process();
  await begin("a", NEW);
  attachments.open = async () => null;

  const outcome = await bringUp("a");

  expect(outcome).toMatchObject({
    message: "its server is ready, but not reached through the tunnel: nothing answers",
  });
  expect([made.rig.colab.billing(), await leases.list()]).toEqual([[], []]);
});

test("a release that somebody asks for meanwhile ends it, and nothing runs on the machine after that", async () => {
  using made = supervisedRig({ boot_ms: HOUR });
  const { begin, bringUp, supervisor, leases } = made.process();
  await begin("a", NEW);
  let released: Promise<unknown> | undefined;
  made.rig.colab.around = (argv, run) => {
    if (argv.includes("upload")) released ??= supervisor.release("a", { why: "a person" });
    return run();
  };

  const outcome = await bringUp("a");
  await released;

  expect(outcome).toEqual({ kind: "ended" });
  expect([made.rig.colab.billing(), await leases.list()]).toEqual([[], []]);
  const words = made.rig.colab.commands.map((argv) =>
    argv.find((word) => /^(stop|exec)$/.test(word)),
  );
  expect(words.slice(words.indexOf("stop") + 1)).not.toContain("exec");
});

test("T18: no key is in an argument, a lease or a script", async () => {
  using made = supervisedRig();
  const { begin, bringUp } = made.process();
  await begin("a", NEW);

  await bringUp("a", { hf_token: "hf_marker_token" });

  const [machine] = made.rig.colab.billing();
  expect(Object.keys(machine?.files ?? {})).toEqual(["/content/.veriroute.env"]);
  const left = [
    JSON.stringify(made.rig.colab.commands),
    readFileSync(join(made.directory, "a.json"), "utf8"),
    readFileSync(join(made.rig.root, "a", "cell.py"), "utf8"),
  ].join("\n");
  expect([left.includes(SERVER_KEY), left.includes("hf_marker_token")]).toEqual([false, false]);
});

test("T19: a GPU that Colab does not rent never reaches a command", async () => {
  using made = supervisedRig();
  const { begin, bringUp, leases } = made.process();
  await begin("a", { ...NEW, sku: "A10" });

  const outcome = await bringUp("a");

  expect(outcome).toMatchObject({ kind: "failed", message: "`A10` is no GPU that Colab rents" });
  expect(made.rig.colab.commands.flat()).not.toContain("new");
  expect(await leases.list()).toEqual([]);
});
