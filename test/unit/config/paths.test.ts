import { describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";

import {
  configLocation,
  defaultConfigPath,
  type Env,
  openStateDirectory,
  stateDirectory,
} from "../../../src/config/paths.ts";
import { tempDir } from "../../support/temp-dir.ts";

test.each<{ name: string; env: Env; path: string }>([
  {
    name: "VERIROUTE_STATE_DIR",
    env: { VERIROUTE_STATE_DIR: "/a", STATE_DIRECTORY: "/b", HOME: "/h" },
    path: "/a",
  },
  { name: "a relative VERIROUTE_STATE_DIR", env: { VERIROUTE_STATE_DIR: "a" }, path: "/cwd/a" },
  { name: "systemd's directory", env: { STATE_DIRECTORY: "/b", XDG_STATE_HOME: "/x" }, path: "/b" },
  { name: "the first of systemd's directories", env: { STATE_DIRECTORY: "/b:/c" }, path: "/b" },
  { name: "XDG_STATE_HOME", env: { XDG_STATE_HOME: "/x", HOME: "/h" }, path: "/x/veriroute" },
  {
    name: "HOME where XDG_STATE_HOME is relative",
    env: { XDG_STATE_HOME: "x", HOME: "/h" },
    path: "/h/.local/state/veriroute",
  },
  {
    name: "HOME",
    env: { VERIROUTE_STATE_DIR: "", STATE_DIRECTORY: "", HOME: "/h" },
    path: "/h/.local/state/veriroute",
  },
])("state lives by $name", ({ env, path }) => {
  expect(stateDirectory(env, "/cwd")).toEqual({ ok: true, path });
});

test("without any hint where state could live, the way out is named", () => {
  expect(stateDirectory({}, "/cwd")).toEqual({
    ok: false,
    message:
      "no place for the state directory: neither `HOME` nor `VERIROUTE_STATE_DIR` is set; set one of them to an absolute path",
  });
});

describe("the config file", () => {
  test("is the flag's, else the variable's, else the usual one if it is there", () => {
    using dir = tempDir();
    const env = { XDG_CONFIG_HOME: dir.path, HOME: "/h" };
    const place = { cwd: "/cwd" };
    const usual = dir.file("veriroute/veriroute.toml");

    expect(configLocation(env, place)).toEqual({ path: null, named: "default", notice: null });
    mkdirSync(dir.file("veriroute"));
    writeFileSync(usual, "");
    expect(configLocation(env, place)).toEqual({ path: usual, named: "default", notice: null });
    expect(configLocation({ ...env, VERIROUTE_CONFIG: "e.toml" }, place)).toEqual({
      path: "/cwd/e.toml",
      named: "environment",
      notice: null,
    });
    expect(
      configLocation({ ...env, VERIROUTE_CONFIG: "e.toml" }, { ...place, flag: "/f.toml" }),
    ).toEqual({ path: "/f.toml", named: "flag", notice: null });
  });

  test("of the working directory is mentioned, not read, unless the flag names it", () => {
    using dir = tempDir();
    const local = dir.file("veriroute.toml");
    writeFileSync(local, "");
    const notice = `\`${local}\` is not read by itself; to use it, pass \`--config ./veriroute.toml\``;

    expect(configLocation({}, { cwd: dir.path })).toEqual({ path: null, named: "default", notice });
    expect(configLocation({}, { cwd: dir.path, flag: "veriroute.toml" })).toEqual({
      path: local,
      named: "flag",
      notice: null,
    });
  });

  test("has no usual place without a home", () => {
    expect(defaultConfigPath({})).toBeNull();
    expect(defaultConfigPath({ HOME: "/h" })).toBe("/h/.config/veriroute/veriroute.toml");
  });
});

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("the state directory", () => {
  test("is made with all folders above it, for its owner alone", () => {
    using dir = tempDir();
    const path = dir.file("a/b/veriroute");

    expect(openStateDirectory(path)).toEqual({ ok: true, path });
    expect(modeOf(path)).toBe(0o700);
  });

  test.each([
    { name: "an empty one", files: [] },
    { name: "one with our database", files: ["veriroute.db", "serve.lock"] },
  ])("that is too open is closed to others: $name", ({ files }) => {
    using dir = tempDir();
    const path = dir.file("state");
    mkdirSync(path);
    for (const file of files) writeFileSync(`${path}/${file}`, "");
    chmodSync(path, 0o755);

    expect(openStateDirectory(path)).toEqual({ ok: true, path });
    expect(modeOf(path)).toBe(0o700);
  });

  test("that is open and holds other things is refused and left as it is", () => {
    using dir = tempDir();
    const path = dir.file("shared");
    mkdirSync(path);
    writeFileSync(`${path}/thesis.txt`, "");
    chmodSync(path, 0o755);

    expect(openStateDirectory(path)).toEqual({
      ok: false,
      message: `state directory \`${path}\`: it is open to other users (mode 0755) and holds other files; choose another with \`VERIROUTE_STATE_DIR\``,
    });
    expect(modeOf(path)).toBe(0o755);
  });

  test.skipIf(process.getuid?.() !== 0)("that is open and another user's is refused", () => {
    using dir = tempDir();
    const path = dir.file("theirs");
    mkdirSync(path);
    chownSync(path, 12_345, 12_345);
    chmodSync(path, 0o755);

    expect(openStateDirectory(path)).toEqual({
      ok: false,
      message: `state directory \`${path}\`: it is open to other users (mode 0755) and not ours; choose another with \`VERIROUTE_STATE_DIR\``,
    });
  });

  test.each([
    { name: "a file in its place", place: "file", reason: "part of its path is no directory" },
    { name: "a file on its way", place: "file/state", reason: "part of its path is no directory" },
    { name: "a link to nowhere", place: "link", reason: "part of its path is no directory" },
  ])("that cannot be made is refused with the reason: $name", ({ place, reason }) => {
    using dir = tempDir();
    writeFileSync(dir.file("file"), "");
    symlinkSync(dir.file("nowhere"), dir.file("link"));
    const path = dir.file(place);

    expect(openStateDirectory(path)).toEqual({
      ok: false,
      message: `state directory \`${path}\`: ${reason}; choose another with \`VERIROUTE_STATE_DIR\``,
    });
  });
});
