/** Releasing and reaching machines from a disk that takes no files. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createColabDriver } from "../../../../src/runtimes/colab/create-driver.ts";
import { colabRig } from "../../../support/colab-rig.ts";
import { failingDisk } from "../../../support/failing-disk.ts";
import { MINUTE, T4_PLAN } from "../../../support/lease.ts";
import { sendRealBeats } from "../../../support/real-beats.ts";
import { supervisedRig } from "../../../support/supervised-rig.ts";

const CELL = {
  name: "a",
  script: 'PARAMETERS = json.loads("{}")\n# veriroute cell: LOGS\n',
  marker: "[veriroute] LOGS",
  timeout_ms: 60_000,
};

async function rented() {
  const rig = colabRig();
  const created = await rig.driver.create({ name: "a", sku: "T4" });
  if (created.kind !== "created") throw new Error("no machine");
  return { ...rig, endpoint: created.endpoint, own: join(rig.root, "a") };
}

test.each([
  { what: "forgotten", lose: (path: string) => writeFileSync(path, "{}") },
  { what: "cut short by a write of the command", lose: (path: string) => writeFileSync(path, "") },
  { what: "gone", lose: (path: string) => rmSync(path) },
])(
  "on a full disk a machine whose session was $what is released, and nothing is left elsewhere",
  async ({ lose }) => {
    using made = await rented();
    const { driver, disk, colab, own, shelter, endpoint } = made;
    lose(join(own, "sessions.json"));
    disk.isFull = true;

    await driver.adopt("a", endpoint);
    const [standIn = ""] = readdirSync(shelter);
    const mode = statSync(join(shelter, standIn)).mode & 0o777;
    const report = await driver.stop("a");

    expect(mode).toBe(0o700);
    expect(report).toEqual({ kind: "terminated" });
    expect([colab.billing(), readdirSync(shelter)]).toEqual([[], []]);
  },
);

test("on a full disk without any store machines are listed and released", async () => {
  using made = await rented();
  const { root, disk, newDriver, colab, shelter, endpoint } = made;
  rmSync(root, { recursive: true });
  disk.isFull = true;
  const driver = newDriver();

  const { listing } = await driver.list();
  expect(readdirSync(shelter)).toEqual([]);
  await driver.adopt("a", endpoint);
  await driver.stop("a");

  expect(listing).toMatchObject({ kind: "clean", sessions: [{ endpoint }] });
  expect(colab.billing()).toEqual([]);
});

test("on a full disk a cell runs, and what it says of its session is kept beside", async () => {
  using made = await rented();
  const { driver, disk, colab, own, shelter } = made;
  const before = readFileSync(join(own, "sessions.json"), "utf8");
  disk.isFull = true;

  const reports = [await driver.execute(CELL), await driver.execute(CELL)];

  expect(reports.map(({ kind }) => kind)).toEqual(["confirmed", "confirmed"]);
  const configs = colab.commands
    .filter((argv) => argv.includes("exec"))
    .map((argv) => argv[argv.indexOf("--config") + 1] ?? "");
  expect(configs.every((path) => path.startsWith(shelter))).toBe(true);
  expect(readFileSync(join(own, "sessions.json"), "utf8")).toBe(before);
});

test("a disk that takes files again has the session back, and nothing is left elsewhere", async () => {
  using made = await rented();
  const { driver, disk, own, shelter, endpoint } = made;
  disk.isFull = true;
  await driver.execute(CELL);
  expect(driver.bridge("a", "key").argv.join(" ")).toContain(shelter);
  disk.isFull = false;

  const access = await driver.refresh("a", endpoint);

  expect(access).toEqual({ kind: "fresh" });
  expect(JSON.parse(readFileSync(join(own, "sessions.json"), "utf8"))).toMatchObject({
    a: { endpoint },
  });
  expect(driver.bridge("a", "key").argv.join(" ")).toContain(own);
  expect(readdirSync(shelter)).toEqual([]);
});

test("keys stay where they are, whatever store is in use", async () => {
  using made = await rented();
  const { driver, disk, own } = made;
  disk.isFull = true;

  await driver.execute(CELL);

  expect(driver.directory("a")).toBe(own);
});

test("where nothing takes files it is said that the disk is full, not that `colab` is broken", async () => {
  using rig = colabRig();
  const disk = failingDisk(rig.root);
  disk.isFull = true;
  const driver = createColabDriver({
    run: rig.colab.run,
    clock: rig.clock,
    root: rig.root,
    shelters: [join(rig.root, "nowhere")],
    write: disk.write,
    userHome: null,
    env: { PATH: "/usr/bin:/bin" },
    program: "colab",
    auth: "oauth2",
  });

  expect(await driver.checkProgram()).toMatchObject({
    kind: "failed",
    fault: {
      kind: "disk_full",
      message:
        "`colab` could not be used: the disk of this computer takes no files; free some space on it",
      detail: expect.stringContaining("ENOSPC"),
    },
  });
  expect(await driver.refresh("a", "gpu-t4-1")).toMatchObject({ kind: "failed" });
});

test("on a full disk a runtime in use hears its heartbeats, and is released once nobody uses it", async () => {
  using made = supervisedRig();
  const { rig, disk } = made;
  const process = made.process();
  const { begin, bringUp, pass, supervisor } = process;
  sendRealBeats(made, process);
  await begin("a", { plan: T4_PLAN, served_model: "qwen" });
  await bringUp("a");
  supervisor.noteActivity("a", "start");
  disk.isFull = true;

  await pass(100 * MINUTE);
  const inUse = [rig.colab.billing().length, [...made.told]];
  supervisor.noteActivity("a", "end");
  await pass(60 * MINUTE);

  expect(inUse).toEqual([1, []]);
  expect(rig.colab.billing()).toEqual([]);
  expect(rig.colab.server.transact(({ releases }) => releases.map(({ by }) => by))).toEqual([
    "stop",
  ]);
});

test("a command that cannot begin on a full disk is called from elsewhere the next time", async () => {
  using made = await rented();
  const { driver, disk, colab, own } = made;
  disk.isFull = true;
  const stderr = "OSError: [Errno 28] No space left on device: 'sessions.json.lock'\n";
  colab.around = async (argv, run) =>
    argv.join(" ").includes(own) ? { kind: "exited", code: 1, stdout: "", stderr } : run();

  const reports = [await driver.stop("a"), await driver.stop("a")];

  expect(reports).toMatchObject([
    { kind: "failed", fault: { kind: "disk_full" } },
    { kind: "terminated" },
  ]);
  expect(colab.billing()).toEqual([]);
});
