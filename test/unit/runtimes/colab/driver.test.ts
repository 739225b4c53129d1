import { expect, test } from "bun:test";

import { createColabDriver } from "../../../../src/runtimes/colab/create-driver.ts";
import type { ColabFaultKind } from "../../../../src/runtimes/colab/faults.ts";
import { SKUS } from "../../../../src/sizing/gpus.ts";
import { colabRig } from "../../../support/colab-rig.ts";
import type { Faults } from "../../../support/fake-colab/faults.ts";

const CELL = {
  script: '# veriroute cell: LOGS\nPARAMETERS = json.loads("{\\"nonce\\": \\"n1\\"}")\n',
  marker: "[veriroute] LOGS n1",
  timeout_ms: 10_000,
};

test.each([...SKUS])("a machine with %s is rented, listed by name and released", async (sku) => {
  using rig = colabRig();

  const created = await rig.driver.create({ name: "a", sku });

  const [machine] = rig.colab.billing();
  expect(created).toEqual({ kind: "created", endpoint: machine?.endpoint ?? "" });
  expect((await rig.driver.list("a")).listing).toEqual({
    kind: "clean",
    at: { now: rig.clock.now(), elapsed: rig.clock.elapsed() },
    sessions: [{ name: "a", endpoint: machine?.endpoint ?? "", hardware: sku, variant: "GPU" }],
  });
  expect(await rig.driver.stop("a")).toEqual({ kind: "terminated" });
  expect(rig.colab.billing()).toEqual([]);
});

test("the command line has global options first, a store of its own and no word of the session's secrets", async () => {
  using rig = colabRig();

  await rig.driver.create({ name: "a", sku: "T4" });
  await rig.driver.upload({ name: "a", content: "KEY=sk-marker-secret\n", path: "/content/.e" });
  await rig.driver.execute({ name: "a", ...CELL });

  const head = ["colab", "--auth=oauth2", "--config", `${rig.root}/a/sessions.json`];
  expect(rig.colab.commands).toEqual([
    [...head, "new", "-s", "a", "--gpu", "T4"],
    [...head, "upload", "-s", "a", "/dev/stdin", "/content/.e"],
    [...head, "exec", "-s", "a", "--timeout", "10", "-f", `${rig.root}/a/cell.py`],
  ]);
});

test.each(["oauth2", "adc"] as const)(
  "S3-133: the way to log in, %s, comes before the subcommand",
  async (auth) => {
    using rig = colabRig();
    const argv: (readonly string[])[] = [];
    const driver = createColabDriver({
      run: async (command) => {
        argv.push(command.argv);
        return { kind: "exited", code: 0, stdout: "", stderr: "" };
      },
      clock: rig.clock,
      root: rig.root,
      userHome: null,
      env: { PATH: "/usr/bin:/bin" },
      program: "colab",
      auth,
    });

    await driver.list();
    await driver.stop("a");

    expect(
      argv.map((words) => [
        words[1],
        words.find((word) => /^(?:whoami|sessions|stop)$/.test(word)),
      ]),
    ).toEqual([
      [`--auth=${auth}`, "whoami"],
      [`--auth=${auth}`, "sessions"],
      [`--auth=${auth}`, "stop"],
    ]);
  },
);

test("a GPU that Colab does not have never reaches a command line", async () => {
  using rig = colabRig();

  // @ts-expect-error -- what a config or a lease of another version may hold
  const created = await rig.driver.create({ name: "a", sku: "A100-80" });

  expect(created).toMatchObject({ kind: "failed", may_be_billing: false });
  expect(rig.colab.commands).toEqual([]);
});

test("a name that the store knows is not rented again, which would lose the first machine", async () => {
  using rig = colabRig();
  await rig.driver.create({ name: "a", sku: "T4" });

  const again = await rig.driver.create({ name: "a", sku: "T4" });

  expect(again).toMatchObject({ kind: "failed", fault: { kind: "name_taken" } });
  expect(rig.colab.billing()).toHaveLength(1);
});

test.each<{ fault: string; kind: ColabFaultKind; may_be_billing: boolean; billing: number }>([
  { fault: "400", kind: "no_entitlement", may_be_billing: false, billing: 0 },
  { fault: "412", kind: "limit_reached", may_be_billing: false, billing: 0 },
  { fault: "412-raw", kind: "limit_reached", may_be_billing: false, billing: 0 },
  { fault: "503", kind: "no_capacity", may_be_billing: true, billing: 0 },
  { fault: "network", kind: "network", may_be_billing: true, billing: 0 },
  { fault: "outcome", kind: "limit_reached", may_be_billing: true, billing: 0 },
  { fault: "timeout-leak", kind: "network", may_be_billing: true, billing: 1 },
  { fault: "crash-before", kind: "stopped", may_be_billing: true, billing: 0 },
  { fault: "crash-after-assign", kind: "stopped", may_be_billing: true, billing: 1 },
  { fault: "hang", kind: "timeout", may_be_billing: true, billing: 0 },
  { fault: "not-stored", kind: "unreadable", may_be_billing: true, billing: 1 },
])("renting that ends with $fault says whether it may have left a bill", async (row) => {
  using rig = colabRig({ new: row.fault });

  const created = await rig.driver.create({ name: "a", sku: "T4" });

  expect(created).toMatchObject({
    kind: "failed",
    fault: { kind: row.kind },
    may_be_billing: row.may_be_billing,
  });
  expect(rig.colab.billing()).toHaveLength(row.billing);
});

test.each<{ name: string; faults: Faults; kind: ColabFaultKind }>([
  { name: "an error of Google's", faults: { sessions: "500" }, kind: "server_error" },
  { name: "a refused login", faults: { sessions: "401" }, kind: "login_refused" },
  { name: "no network", faults: { sessions: "network" }, kind: "network" },
  { name: "a machine of an unknown kind", faults: { sessions: "badenum" }, kind: "unreadable" },
  { name: "no answer", faults: { sessions: "hang" }, kind: "timeout" },
  { name: "no login", faults: { auth: "oauth-prompt" }, kind: "not_logged_in" },
  {
    name: "an empty list for want of a login",
    faults: { auth: "adc-expired" },
    kind: "not_logged_in",
  },
])("a listing with $name proves nothing", async ({ faults, kind }) => {
  using rig = colabRig(faults);

  const { listing, fault } = await rig.driver.list();

  expect(listing).toMatchObject({ kind: "doubtful", sessions: [] });
  expect(fault?.kind).toBe(kind);
});

test.each(["0.6", "reordered", "coloured", "boxed"])(
  "a listing in the form %s is clean",
  async (form) => {
    using rig = colabRig({ sessions_format: form, banner: "1" });
    await rig.driver.create({ name: "a", sku: "T4" });

    const { listing } = await rig.driver.list("a");

    expect(listing).toMatchObject({ kind: "clean", sessions: [{ name: "a", hardware: "T4" }] });
  },
);

test.each<{ name: string; faults: Faults; report: object; billing: number }>([
  { name: "that works", faults: {}, report: { kind: "terminated" }, billing: 0 },
  { name: "that lies", faults: { stop: "lies" }, report: { kind: "terminated" }, billing: 1 },
  {
    name: "of an unknown name",
    faults: { stop: "not-found" },
    report: { kind: "unknown" },
    billing: 1,
  },
  {
    name: "of a machine that is gone",
    faults: { vanish_after_ms: 1 },
    report: { kind: "gone" },
    billing: 0,
  },
  {
    name: "that Google fails",
    faults: { stop: "500" },
    report: { kind: "failed", fault: { kind: "server_error" } },
    billing: 1,
  },
  {
    name: "without network",
    faults: { stop: "network" },
    report: { kind: "failed", fault: { kind: "network" } },
    billing: 1,
  },
  {
    name: "that hangs",
    faults: { stop: "hang" },
    report: { kind: "failed", fault: { kind: "timeout" } },
    billing: 1,
  },
])("a release $name is reported as what was said", async ({ faults, report, billing }) => {
  using rig = colabRig(faults);
  await rig.driver.create({ name: "a", sku: "T4" });
  rig.move(1000);

  expect(await rig.driver.stop("a")).toMatchObject(report);
  expect(rig.colab.billing()).toHaveLength(billing);
});

test.each<{ fault: string; kind: ColabFaultKind | "confirmed" }>([
  { fault: "traceback", kind: "no_marker" },
  { fault: "silent", kind: "no_marker" },
  { fault: "partial", kind: "no_marker" },
  { fault: "lost", kind: "session_lost" },
  { fault: "conn-lost", kind: "connection_lost" },
  { fault: "jkc", kind: "kernel_client" },
  { fault: "hang", kind: "timeout" },
  { fault: "timeout-late", kind: "confirmed" },
  { fault: "noise", kind: "confirmed" },
])("a cell that meets $fault counts by its marker alone: $kind", async ({ fault, kind }) => {
  using rig = colabRig();
  await rig.driver.create({ name: "a", sku: "T4" });
  rig.colab.setFaults({ exec: fault });

  const report = await rig.driver.execute({ name: "a", ...CELL });

  expect(report.kind === "failed" ? report.fault.kind : report.kind).toBe(kind);
});

test("a machine that only Google knows of can be adopted and released", async () => {
  using rig = colabRig({ new: "crash-after-assign" });
  await rig.driver.create({ name: "a", sku: "T4" });
  const [orphan] = rig.colab.billing();
  const endpoint = orphan?.endpoint ?? "";
  expect((await rig.driver.list("a")).listing.sessions).toMatchObject([{ name: null, endpoint }]);

  await rig.driver.adopt("a", endpoint);

  expect(await rig.driver.stop("a")).toEqual({ kind: "terminated" });
  expect(rig.colab.billing()).toEqual([]);
});

test("a session that a lagging listing made the store forget is found again by its endpoint", async () => {
  using rig = colabRig({ list_lag_ms: 60_000 });
  const created = await rig.driver.create({ name: "a", sku: "T4" });
  const endpoint = created.kind === "created" ? created.endpoint : "";

  expect(await rig.driver.refresh("a", endpoint)).toEqual({ kind: "missing" });
  rig.move(61_000);
  expect(rig.driver.entry("a")).toBeNull();
  expect(await rig.driver.refresh("a", endpoint)).toEqual({ kind: "fresh" });
  expect(await rig.driver.execute({ name: "a", ...CELL })).toMatchObject({ kind: "confirmed" });
});

test("a session is of use long after its first token has expired", async () => {
  using rig = colabRig();
  await rig.driver.create({ name: "a", sku: "T4" });

  for (let hour = 0; hour < 5; hour++) {
    rig.move(3_600_000);
    expect(await rig.driver.execute({ name: "a", ...CELL })).toMatchObject({ kind: "confirmed" });
  }
});

test.each<{ version: string; kind: ColabFaultKind | "ok" }>([
  { version: "0.7.4", kind: "ok" },
  { version: "0.7.2", kind: "too_old" },
  { version: "other", kind: "another_program" },
])("a program that calls itself $version is $kind", async ({ version, kind }) => {
  using rig = colabRig({ version });

  const check = await rig.driver.checkProgram();

  expect(check.kind === "ok" ? "ok" : check.fault.kind).toBe(kind);
});

test.each<{ fault: string; report: object }>([
  { fault: "", report: { kind: "ok", rate_cu_h: 1.19, assignment_count: 1 } },
  { fault: "missing", report: { kind: "failed", fault: { kind: "not_supported" } } },
  { fault: "garbage", report: { kind: "failed", fault: { kind: "unreadable" } } },
  { fault: "fail", report: { kind: "failed", fault: { kind: "failed" } } },
])("usage with the fault `$fault` is reported", async ({ fault, report }) => {
  using rig = colabRig({ usage: fault });
  await rig.driver.create({ name: "a", sku: "T4" });

  expect(await rig.driver.readUsage()).toMatchObject(report);
});

test("a detail never repeats a proxy token", async () => {
  using rig = colabRig();
  await rig.driver.create({ name: "a", sku: "T4" });
  rig.colab.setFaults({ upload: "fail" });

  const report = await rig.driver.upload({ name: "a", content: "x", path: "/content/x" });

  expect(report).toMatchObject({ kind: "failed", fault: { kind: "session_lost" } });
  expect(JSON.stringify(report)).toContain("colab-runtime-proxy-token=[redacted]");
  expect(JSON.stringify(report)).not.toContain("fake-proxy-token");
});

test("the bridge of a session that the store lost rents no machine", async () => {
  using rig = colabRig();
  await rig.driver.create({ name: "a", sku: "T4" });
  const { argv, env } = rig.driver.bridge(
    "a",
    `${rig.root}/a/home/.config/colab-cli/settings.json`,
  );
  await rig.driver.stop("a");

  const result = await rig.colab.run({ argv, env, timeout_ms: 1000 });

  expect(result).toMatchObject({ kind: "exited", code: 1 });
  expect(rig.colab.billing()).toEqual([]);
});

test("calls on one store take turns, on others they do not wait", async () => {
  using rig = colabRig();
  const order: string[] = [];
  const note = async (what: string, call: Promise<unknown>) => {
    await call;
    order.push(what);
  };

  await Promise.all([
    note("first", rig.driver.create({ name: "a", sku: "T4" })),
    note("second", rig.driver.stop("a")),
    note("third", rig.driver.list("a")),
  ]);

  expect(order).toEqual(["first", "second", "third"]);
  expect(rig.colab.billing()).toEqual([]);
});

test.each(["../x", "a/b", ".account", "", "A", "x".repeat(40)])(
  "a name like `%s` reaches neither disk nor command line",
  async (name) => {
    using rig = colabRig();

    expect(await rig.driver.create({ name, sku: "T4" })).toMatchObject({ kind: "failed" });
    expect(() => rig.driver.directory(name)).toThrow();
    expect(rig.colab.commands).toEqual([]);
  },
);
