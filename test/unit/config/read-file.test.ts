import { expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";

import { readSmallFile, rememberFiles } from "../../../src/config/read-file.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("a small text file is read with its permissions", () => {
  using dir = tempDir();
  writeFileSync(dir.file("a"), "grüße", { mode: 0o640 });

  expect(readSmallFile(dir.file("a"))).toEqual({ ok: true, text: "grüße", mode: 0o640 });
});

test("what is no small text file is refused with the reason", () => {
  using dir = tempDir();
  mkdirSync(dir.file("folder"));
  writeFileSync(dir.file("binary"), new Uint8Array([0xff, 0xfe, 0x41]));
  writeFileSync(dir.file("huge"), "");
  truncateSync(dir.file("huge"), 5 * 1024 * 1024);

  const reasons = ["none", "folder", "binary", "huge", "binary/below"].map((name) =>
    readSmallFile(dir.file(name)),
  );

  expect(reasons).toEqual([
    { ok: false, reason: "no such file" },
    { ok: false, reason: "it is a directory" },
    { ok: false, reason: "it is not UTF-8 text" },
    { ok: false, reason: "it is larger than 4 MiB" },
    { ok: false, reason: "part of its path is no directory" },
  ]);
  expect(readSmallFile("/dev/null")).toEqual({ ok: false, reason: "it is no plain file" });
});

test("files stay as they were until they are kept anew", () => {
  const texts = ["one", "two"];
  const files = rememberFiles(() => ({ ok: true, text: texts.shift() ?? "", mode: 0o600 }));

  files.fresh("a");
  files.keep();
  files.fresh("a");

  expect(files.kept("a")).toMatchObject({ text: "one" });
  files.keep();
  expect(files.kept("a")).toMatchObject({ text: "two" });
});
