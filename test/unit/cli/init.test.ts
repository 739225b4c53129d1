import { expect, test } from "bun:test";
import { statSync, writeFileSync } from "node:fs";

import { isUnitPath, systemdUnit, systemSteps } from "../../../src/cli/setup/systemd-unit.ts";
import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("`init` writes a config that only its owner reads and that has no problem", async () => {
  using home = tempDir();
  const env = { HOME: home.path };
  const file = home.file(".config/veriroute/veriroute.toml");

  const written = await runCommand(["init"], { env });

  expect(written).toEqual({
    code: 0,
    stdout: expect.stringContaining(`wrote ${file}`),
    stderr: "",
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await runCommand(["check"], { env })).toEqual({
    code: 0,
    stdout: `${file}: ok\n`,
    stderr: "",
  });
});

test("an existing file is only overwritten with --force, and is private after it", async () => {
  using home = tempDir();
  const file = home.file("mine.toml");
  writeFileSync(file, "mine", { mode: 0o644 });
  const args = ["init", "--config", "mine.toml"];

  const refused = await runCommand(args, { cwd: home.path });
  expect(refused).toEqual({
    code: 1,
    stdout: "",
    stderr: `veriroute init: ${file} exists; overwrite it with --force\n`,
  });
  expect(await Bun.file(file).text()).toBe("mine");

  expect((await runCommand([...args, "--force"], { cwd: home.path })).code).toBe(0);
  expect(await Bun.file(file).text()).toContain("[server]");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a place that cannot be written is an answer, not a stack trace", async () => {
  using home = tempDir();
  writeFileSync(home.file("file"), "");

  const { code, stderr } = await runCommand(["init", "--config", "file/x.toml"], {
    cwd: home.path,
  });

  expect(code).toBe(1);
  expect(stderr).toMatch(/^veriroute init: .*cannot be written: .*\n$/);
});

test.each<{ path: string; start: string }>([
  { path: "/usr/local/bin/veriroute", start: "ExecStart=/usr/local/bin/veriroute serve" },
  { path: "/opt/a b/veriroute", start: 'ExecStart="/opt/a b/veriroute" serve' },
  { path: "/opt/50%/veriroute", start: "ExecStart=/opt/50%%/veriroute serve" },
])("the unit starts $path", ({ path, start }) => {
  expect(systemdUnit("system", path)).toContain(`\n${start}\n`);
});

test.each([["relative"], ['/a"b'], ["/a'b"], ["/a\\b"], ["/a\nb"]])(
  "%j is no path for a unit",
  (path) => {
    expect(isUnitPath(path)).toBe(false);
  },
);

test("only the unit of the machine has a user of its own", () => {
  expect(systemdUnit("system", "/x")).toContain("\nDynamicUser=yes\n");
  expect(systemdUnit("user", "/x")).not.toContain("DynamicUser");
  for (const scope of ["system", "user"] as const) {
    const unit = systemdUnit(scope, "/x");
    expect(unit).toContain("\nUnsetEnvironment=BUN_OPTIONS BUN_BE_BUN\n");
    expect(unit).toContain("\nEnvironment=BUN_CONFIG_MAX_HTTP_REQUESTS=65535\n");
  }
});

test("the config that the steps make is the one that the unit names", () => {
  const steps = systemSteps("/opt/a b/veriroute");
  const [, config = "none"] =
    /^Environment=VERIROUTE_CONFIG=(.+)$/m.exec(systemdUnit("system", "/x")) ?? [];

  expect(steps).toContain(`sudo "/opt/a b/veriroute" init --config ${config}\n`);
  expect(steps).toContain(`sudo chmod 644 ${config}\n`);
});
