import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";

import type { DoctorCheck } from "../../../src/cli/doctor/check.ts";
import {
  checkClock,
  checkDisk,
  checkOpenFiles,
  checkStateDirectory,
} from "../../../src/cli/doctor/machine.ts";
import { checkPort } from "../../../src/cli/doctor/port.ts";
import { checkUpstreams } from "../../../src/cli/doctor/upstreams.ts";
import type { InstanceReport } from "../../../src/cli/server/running-app.ts";
import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

const openai: InstanceReport = {
  name: "openai",
  type: "openai",
  source: "environment",
  base_url: "https://api.example.org/v1",
  models: 2,
  problem: null,
  credential: "set",
  credential_from: "OPENAI_API_KEY",
  reach: { ok: true, models: 2 },
};
const ollama: InstanceReport = {
  ...openai,
  name: "ollama",
  source: "local",
  base_url: "http://127.0.0.1:11434/v1",
  credential: "not needed",
  credential_from: null,
};

type Status = DoctorCheck["status"];

const statuses = (reports: readonly InstanceReport[]) =>
  checkUpstreams(reports).map(({ name, status, detail }) => `${status} ${name}: ${detail}`);

test.each<{ what: string; reports: InstanceReport[]; says: string[] }>([
  {
    what: "a provider that answers",
    reports: [openai],
    says: [
      "ok credentials: set: OPENAI_API_KEY",
      "ok provider openai: openai https://api.example.org/v1, 2 models",
      "ok local servers: none on the usual ports",
    ],
  },
  {
    what: "a provider that refuses the credential",
    reports: [{ ...openai, reach: { ok: false, reason: "refused the credential (HTTP 401)" } }],
    says: [
      "ok credentials: set: OPENAI_API_KEY",
      "fail provider openai: https://api.example.org/v1 refused the credential (HTTP 401)",
      "ok local servers: none on the usual ports",
    ],
  },
  {
    what: "a provider without a credential",
    reports: [{ ...openai, credential: "missing", problem: "no credential", reach: null }],
    says: [
      "warn credentials: missing: OPENAI_API_KEY for openai",
      "warn provider openai: no credential",
      "ok local servers: none on the usual ports",
    ],
  },
  {
    what: "only a local server",
    reports: [ollama],
    says: [
      "ok credentials: none are needed",
      "ok local servers: ollama http://127.0.0.1:11434/v1, 2 models",
    ],
  },
  {
    what: "nothing",
    reports: [],
    says: [
      "ok credentials: none are needed",
      "ok local servers: none on the usual ports",
      "warn providers: none: `auto` goes to the simulator",
    ],
  },
])("$what is reported as such", ({ reports, says }) => {
  expect(statuses(reports)).toEqual(says);
});

test("a port is free, ours, or somebody else's", () => {
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });
  const place = { host: "127.0.0.1", port: server.port ?? 0 };
  const own = { pid: 1, url: `http://127.0.0.1:${place.port}` };

  expect(checkPort(place, null).status).toBe("fail");
  expect(checkPort(place, own).status).toBe("ok");
  expect(checkPort({ ...place, port: 0 }, own).status).toBe("ok");
  if (process.platform === "linux") {
    expect(checkPort(place, null).detail).toContain(`(pid ${process.pid})`);
  }
});

test("a host that is not of this machine cannot be bound", () => {
  expect(checkPort({ host: "192.0.2.1", port: 0 }, null)).toMatchObject({ status: "fail" });
});

test("the state directory is judged as it is, and never made", () => {
  using place = tempDir();
  mkdirSync(place.file("private"), { mode: 0o700 });
  mkdirSync(place.file("open"));
  chmodSync(place.file("open"), 0o755);
  writeFileSync(place.file("file"), "");

  const judged = ["private", "open", "file", "new/deep"].map(
    (name) => checkStateDirectory(place.file(name)).status,
  );

  expect(judged).toEqual(["ok", "warn", "fail", "ok"]);
  expect(checkDisk(place.file("new/deep")).detail).toContain("MiB free");
});

test.each<{ year: number; status: Status }>([
  { year: 1970, status: "fail" },
  { year: 2026, status: "ok" },
  { year: 2051, status: "ok" },
])("a clock in $year is $status", ({ year, status }) => {
  const clock = { now: () => Date.UTC(year, 6), elapsed: () => 0 };

  expect(checkClock(clock).status).toBe(status);
});

test("a monotonic clock that runs backwards is a failure", () => {
  let elapsed = 2;
  const clock = { now: () => Date.UTC(2030, 0), elapsed: () => elapsed-- };

  expect(checkClock(clock).status).toBe("fail");
});

test.each<{ line: string; status: Status }>([
  {
    line: "Max open files            256                  4096                 files",
    status: "fail",
  },
  {
    line: "Max open files            1024                 4096                 files",
    status: "warn",
  },
  {
    line: "Max open files            65536                65536                files",
    status: "ok",
  },
  {
    line: "Max open files            unlimited            unlimited            files",
    status: "ok",
  },
])("$line is $status", ({ line, status }) => {
  using place = tempDir();
  writeFileSync(place.file("limits"), `Limit  Soft Limit  Hard Limit  Units\n${line}\n`);

  expect(checkOpenFiles(place.file("limits")).status).toBe(status);
  expect(checkOpenFiles(place.file("none")).status).toBe("ok");
});

test("`doctor` ends with 1 on a bad config, lists it as JSON, and shows no secret", async () => {
  using home = tempDir();
  const file = home.file("veriroute.toml");
  writeFileSync(file, '[server]\nprot = 1\nadmin_key = "very-secret-key"\n', { mode: 0o600 });

  const { code, stdout } = await runCommand(["doctor", "--json", "--config", file], {
    env: { HOME: home.path },
  });

  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    checks: expect.arrayContaining([
      {
        name: "config",
        status: "fail",
        detail: `${file}:2:1: server.prot: unknown key`,
        fix: "did you mean `port`?",
      },
    ]),
  });
  expect(stdout).not.toContain("very-secret-key");
});
