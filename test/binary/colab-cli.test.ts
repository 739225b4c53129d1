/**
 * The driver with Google's own command instead of the fake. Its Google is a stand-in on the loopback,
 * so that this shows how the command is called and read, not that Colab does what is asked.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "../../src/lib/clock.ts";
import { createColabDriver } from "../../src/runtimes/colab/create-driver.ts";
import type { ColabFaultKind } from "../../src/runtimes/colab/faults.ts";
import { createCommands } from "../../src/runtimes/create-commands.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { installFakeColab } from "../support/fake-colab/install.ts";
import {
  COLAB_VERSION,
  googleStandIn,
  installRealColab,
  warmColab,
} from "../support/real-colab.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const real = installRealColab();
if (real.kind === "missing") process.stdout.write(`skip: google-colab-cli: ${real.reason}\n`);
/** What `pip` made. */
const genuine = real.kind === "installed" ? real.program : "";
const place = tempDir();
const warm = real.kind === "installed" ? await warmColab(real.python, place.path) : undefined;
/** The same, sooner. */
const program = warm?.plain(place.file("bin/colab")) ?? "";

afterAll(() => {
  warm?.[Symbol.dispose]();
  place[Symbol.dispose]();
});
const LIMIT_MS = 60_000;

const { run } = createCommands({
  log: createLog({ level: "silent", destination: { write: () => undefined } }),
  clock: systemClock,
});

function driverFor(dir: TempDir, colab: string, auth: "oauth2" | "adc" = "oauth2") {
  return createColabDriver({
    run,
    clock: systemClock,
    root: dir.file("state/colab"),
    userHome: dir.file("home"),
    env: { PATH: process.env["PATH"], GOOGLE_APPLICATION_CREDENTIALS: "/nonexistent" },
    program: colab,
    auth,
  });
}

function runReal(dir: TempDir, args: readonly string[], colab = program) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: dir.path, TYPER_USE_RICH: "0" };
  return run({ argv: [colab, ...args], env, timeout_ms: LIMIT_MS });
}

/** The command whose Google is that stand-in. */
function redirected(dir: TempDir, origin: string): string {
  return warm?.redirected(dir.file("bin/colab"), origin) ?? "";
}

describe.skipIf(real.kind === "missing")("with the real command", () => {
  test(
    "its version is read, and new enough",
    async () => {
      using dir = tempDir();

      const check = await driverFor(dir, genuine).checkProgram();

      expect(check).toEqual({ kind: "ok", version: COLAB_VERSION, path: genuine });
    },
    LIMIT_MS,
  );

  test.each<{ args: readonly string[] }>([
    { args: ["exec", "--help"] },
    { args: ["stop", "--no"] },
  ])(
    "$args is answered by what these tests run as by what `pip` made",
    async ({ args }) => {
      using dir = tempDir();

      expect(await runReal(dir, args)).toEqual(await runReal(dir, args, genuine));
    },
    LIMIT_MS,
  );

  test.each<{ command: string; options: readonly string[] }>([
    { command: "new", options: ["--session", "-s", "--gpu"] },
    { command: "sessions", options: [] },
    { command: "stop", options: ["--session", "-s"] },
    { command: "exec", options: ["--session", "-s", "--file", "-f", "--timeout"] },
    { command: "upload", options: ["--session", "-s", "local_path", "remote_path"] },
    { command: "download", options: ["--session", "-s", "remote_path", "local_path"] },
    { command: "ssh", options: ["--session", "-s", "--proxy-mode", "--identity", "-i"] },
    { command: "usage", options: [] },
    { command: "whoami", options: [] },
    { command: "version", options: [] },
  ])(
    "`colab $command` has the options that are used",
    async ({ command, options }) => {
      using dir = tempDir();

      const result = await runReal(dir, [command, "--help"]);

      expect(result).toMatchObject({ kind: "exited", code: 0 });
      const help = "stdout" in result ? result.stdout : "";
      expect(options.filter((option) => !help.includes(option))).toEqual([]);
    },
    LIMIT_MS,
  );

  test.each<{ name: string; args: readonly string[] }>([
    { name: "an unknown command", args: ["bogus"] },
    { name: "an unknown option", args: ["sessions", "--bogus"] },
    { name: "a global option behind the command", args: ["sessions", "--auth=adc"] },
    { name: "another login", args: ["--auth=foo", "sessions"] },
    { name: "a missing argument", args: ["upload", "-s", "a"] },
  ])(
    "$name is refused with 2, by the fake as by the real one",
    async ({ args }) => {
      using dir = tempDir();
      const fake = installFakeColab(dir.file("fake"));
      const env = { PATH: process.env["PATH"] ?? "", HOME: dir.path };

      const answer = await runReal(dir, args);
      const copy = await run({ argv: [fake.program, ...args], env, timeout_ms: LIMIT_MS });

      expect([answer, copy]).toMatchObject([
        { kind: "exited", code: 2, stdout: "" },
        { kind: "exited", code: 2, stdout: "" },
      ]);
    },
    LIMIT_MS,
  );

  test(
    "without a login nothing is rented, and the driver says why",
    async () => {
      using dir = tempDir();
      const driver = driverFor(dir, program);

      expect(await driver.create({ name: "a", sku: "T4" })).toMatchObject({
        kind: "failed",
        fault: { kind: "not_logged_in" },
        may_be_billing: false,
      });
      expect(await driver.list()).toMatchObject({
        listing: { kind: "doubtful" },
        fault: { kind: "not_logged_in" },
      });
      expect(await driverFor(dir, program, "adc").list()).toMatchObject({
        listing: { kind: "doubtful" },
        fault: { kind: "not_logged_in" },
      });
    },
    LIMIT_MS,
  );

  test(
    "a session that is not there is unknown to exec, upload and stop",
    async () => {
      using dir = tempDir();
      const driver = driverFor(dir, program);
      const cell = { name: "ghost", script: "print(1)", marker: "m", timeout_ms: 1000 };

      expect(await driver.execute(cell)).toMatchObject({ fault: { kind: "unknown_session" } });
      expect(
        await driver.upload({ name: "ghost", content: "x", path: "/content/x" }),
      ).toMatchObject({
        fault: { kind: "unknown_session" },
      });
      expect(await driver.stop("ghost")).toEqual({ kind: "unknown" });
    },
    LIMIT_MS,
  );

  test(
    "the bridge of a session that is not there rents none",
    async () => {
      using dir = tempDir();
      using google = googleStandIn();
      const driver = driverFor(dir, genuine);
      const { argv, env } = driver.bridge("ghost", "/nonexistent");

      const result = await run({ argv, env, timeout_ms: LIMIT_MS });

      expect(result).toMatchObject({ kind: "exited", code: 1 });
      expect("stderr" in result ? result.stderr : "").toContain("DefaultCredentialsError");
      expect(google.machines.size).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    "a machine is rented, listed, given a file, renewed and released",
    async () => {
      using dir = tempDir();
      using google = googleStandIn();
      const colab = redirected(dir, google.origin);
      const driver = driverFor(dir, colab);

      const created = await driver.create({ name: "a", sku: "L4" });
      const [endpoint = ""] = google.machines.keys();

      expect(created).toEqual({ kind: "created", endpoint });
      expect(google.machines.get(endpoint)).toBe("L4");
      expect((await driver.list("a")).listing).toMatchObject({
        kind: "clean",
        sessions: [{ name: "a", endpoint, hardware: "L4", variant: "GPU" }],
      });
      expect((await driver.list()).listing).toMatchObject({ sessions: [{ name: null, endpoint }] });
      expect(await driver.readUsage()).toEqual({
        kind: "ok",
        balance_cu: 289.81,
        rate_cu_h: 1.19,
        assignment_count: 1,
      });
      const secret = "KEY=sk-marker-9b27\n";
      expect(await driver.upload({ name: "a", content: secret, path: "/content/.e" })).toEqual({
        kind: "uploaded",
      });
      expect(google.uploads.get("/content/.e")).toBe(secret);
      expect(await driver.refresh("a", endpoint)).toEqual({ kind: "fresh" });
      expect(await driver.stop("a")).toEqual({ kind: "terminated" });
      expect((await driver.list("a")).listing).toMatchObject({ kind: "clean", sessions: [] });
      expect(filesWith(dir.path, "sk-marker-9b27")).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    "bytes that are no text go there and come back as they are",
    async () => {
      using dir = tempDir();
      using google = googleStandIn();
      const driver = driverFor(dir, redirected(dir, google.origin));
      await driver.create({ name: "a", sku: null });
      const content = Uint8Array.from({ length: 512 }, (_, at) => at % 256);
      const path = "/content/veriroute-baked-000";

      const sent = await driver.upload({ name: "a", content, path });
      const fetched = await driver.download({ name: "a", path });
      const missing = await driver.download({ name: "a", path: "/content/veriroute-baked-001" });

      expect([...google.machines.values()]).toEqual(["NONE"]);
      expect(sent).toEqual({ kind: "uploaded" });
      expect(fetched).toEqual({ kind: "downloaded", content });
      expect(missing).toMatchObject({ kind: "failed", fault: { kind: "failed" } });
      expect(filesWith(dir.path, "\u0000\u0001\u0002\u0003")).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    "an endpoint that only Google knows is adopted, of use and released",
    async () => {
      using dir = tempDir();
      using google = googleStandIn();
      const driver = driverFor(dir, redirected(dir, google.origin));
      google.machines.set("gpu-t4-s-kkb-orphan1", "T4");

      await driver.adopt("a", "gpu-t4-s-kkb-orphan1");

      expect(await driver.upload({ name: "a", content: "x", path: "/content/x" })).toEqual({
        kind: "uploaded",
      });
      expect(google.bearers).toEqual(["stand-in-proxy-token"]);
      expect(await driver.stop("a")).toEqual({ kind: "terminated" });
      expect(google.machines.size).toBe(0);
    },
    LIMIT_MS,
  );

  test.each<{ status: number; kind: ColabFaultKind; may_be_billing: boolean }>([
    { status: 400, kind: "no_entitlement", may_be_billing: false },
    { status: 412, kind: "limit_reached", may_be_billing: false },
    { status: 503, kind: "no_capacity", may_be_billing: true },
    { status: 401, kind: "login_refused", may_be_billing: true },
    { status: 500, kind: "server_error", may_be_billing: true },
  ])(
    "Google's $status to a request for a machine is $kind",
    async (row) => {
      using dir = tempDir();
      using google = googleStandIn();
      const driver = driverFor(dir, redirected(dir, google.origin));
      google.fail("/tun/m/assign", row.status);

      const created = await driver.create({ name: "a", sku: "T4" });

      expect(created).toMatchObject({
        kind: "failed",
        fault: { kind: row.kind },
        may_be_billing: row.may_be_billing,
      });
    },
    LIMIT_MS,
  );

  test(
    "a release that Google fails or does not know is told apart",
    async () => {
      using dir = tempDir();
      using google = googleStandIn();
      const driver = driverFor(dir, redirected(dir, google.origin));
      await driver.create({ name: "a", sku: "T4" });
      google.fail("/tun/m/unassign", 500);
      const failed = await driver.stop("a");
      google.fail("/tun/m/unassign", 404);
      const gone = await driver.stop("a");

      expect(failed).toMatchObject({ kind: "failed", fault: { kind: "server_error" } });
      expect(gone).toEqual({ kind: "gone" });
    },
    LIMIT_MS,
  );
});

function filesWith(directory: string, text: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(directory, name);
    return existsSync(path) && statSync(path).isFile() && readFileSync(path, "utf8").includes(text);
  });
}
