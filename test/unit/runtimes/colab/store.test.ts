import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { colabEnvironment } from "../../../../src/runtimes/colab/environment.ts";
import {
  openColabStore,
  readEntry,
  removeColabStore,
  writeEntry,
} from "../../../../src/runtimes/colab/store.ts";
import { tempDir } from "../../../support/temp-dir.ts";

test("log and history of the official command lead nowhere, and its update check is off", () => {
  using dir = tempDir();
  const { home, directory } = openColabStore({ root: dir.path, userHome: null }, "a");
  const settings = `${home}/.config/colab-cli`;

  writeFileSync(`${settings}/colab.log`, "Bearer secret");
  writeFileSync(`${settings}/history/a.jsonl`, "cell");

  expect(readFileSync(`${settings}/colab.log`, "utf8")).toBe("");
  expect(readFileSync(`${settings}/history/a.jsonl`, "utf8")).toBe("");
  expect(readFileSync(`${settings}/settings.json`, "utf8")).toContain(
    '"enable_update_check": false',
  );
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("W13: a store that is complete is not written to, so that a full disk keeps no machine", () => {
  using dir = tempDir();
  const open = () => openColabStore({ root: dir.path, userHome: null }, "a");
  const file = `${open().home}/.config/colab-cli/settings.json`;
  const before = statSync(file);

  open();

  expect(statSync(file).ino).toBe(before.ino);
});

test("a log that was a file before becomes a link", () => {
  using dir = tempDir();
  const log = dir.file("a/home/.config/colab-cli/colab.log");
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, "Bearer secret");

  openColabStore({ root: dir.path, userHome: null }, "a");

  expect(readlinkSync(log)).toBe("/dev/null");
});

test("the login of the user is shared, whether it exists yet or not", () => {
  using dir = tempDir();
  const { home } = openColabStore({ root: dir.file("root"), userHome: dir.file("user") }, "a");

  expect(readlinkSync(`${home}/.config/colab-cli/token.json`)).toBe(
    dir.file("user/.config/colab-cli/token.json"),
  );
});

test("an entry that is written is read, beside those that are there", () => {
  using dir = tempDir();
  const store = openColabStore({ root: dir.path, userHome: null }, "a");
  writeFileSync(store.sessions, '{"other": {"name": "other", "kept": 1}}');

  writeEntry(store, { name: "a", endpoint: "gpu-1" });

  expect(readEntry(store, "a")).toEqual({ name: "a", endpoint: "gpu-1", token_expires_at: null });
  expect(readFileSync(store.sessions, "utf8")).toContain('"kept": 1');
  expect(statSync(store.sessions).mode & 0o777).toBe(0o600);
});

test.each(["", "{", "[]", "null", '{"a": 5}', '{"a": {"name": "a"}}'])(
  "a store that holds `%s` has no entry",
  (text) => {
    using dir = tempDir();
    const store = openColabStore({ root: dir.path, userHome: null }, "a");
    writeFileSync(store.sessions, text);

    expect(readEntry(store, "a")).toBeNull();
  },
);

test("a store that is removed leaves the login alone", () => {
  using dir = tempDir();
  const token = dir.file("user/.config/colab-cli/token.json");
  mkdirSync(dirname(token), { recursive: true });
  writeFileSync(token, "{}");
  openColabStore({ root: dir.file("root"), userHome: dir.file("user") }, "a");

  removeColabStore({ root: dir.file("root") }, "a");

  expect(readFileSync(token, "utf8")).toBe("{}");
});

test("the official command sees what it needs of our environment and nothing else", () => {
  const env = {
    PATH: "/bin",
    HTTPS_PROXY: "http://proxy",
    OPENAI_API_KEY: "sk-marker",
    HF_TOKEN: "hf_marker",
    VERIROUTE_ADMIN_KEY: "marker",
    FORCE_COLOR: "1",
    PYTHONPATH: "/evil",
  };

  const given = colabEnvironment({ env, home: "/h", program: null });

  expect(given).toMatchObject({ PATH: "/bin", HTTPS_PROXY: "http://proxy", HOME: "/h" });
  expect(JSON.stringify(given)).not.toContain("marker");
  expect(Object.keys(given)).not.toContain("FORCE_COLOR");
  expect(Object.keys(given)).not.toContain("PYTHONPATH");
});
