import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";

import { hashKey, keyFile, newKey } from "../../src/store/keys.ts";
import { openTestStore } from "../support/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

test("a key is long, of letters and digits, and kept as its hash and first characters only", () => {
  const made = newKey();

  expect(made.key).toMatch(/^vr-[0-9A-Za-z]{43}$/);
  expect(made).toEqual({ key: made.key, hash: hashKey(made.key), prefix: made.key.slice(0, 8) });
  expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("keys of one batch differ in every position, so that none is padding", () => {
  const keys = Array.from({ length: 400 }, () => newKey().key);

  const varying = Array.from({ length: 46 }, (_, index) => new Set(keys.map((k) => k[index])).size);

  expect(new Set(keys).size).toBe(400);
  expect(varying.slice(0, 3)).toEqual([1, 1, 1]);
  expect(varying.slice(3).every((count) => count > 10)).toBe(true);
});

test("keys are made, listed and revoked without a server, and the audit says so", async () => {
  using folder = tempDir();
  const path = folder.file("state/veriroute.db");
  const keys = keyFile(path);

  const laptop = keys.create({ name: "laptop", scope: "client", profile: "frugal" }, 1000);
  const phone = keys.create({ name: "phone", scope: "admin", profile: null }, 2000);
  expect(keys.revoke(phone.stored.id, 3000)).toBe(true);
  expect(keys.revoke(phone.stored.id, 4000)).toBe(false);

  const listed = [laptop.stored, { ...phone.stored, revoked_at: 3000 }];
  expect(keys.list()).toEqual(listed);
  expect(laptop.stored).toEqual({
    id: laptop.stored.id,
    name: "laptop",
    scope: "client",
    hash: hashKey(laptop.key),
    prefix: laptop.key.slice(0, 8),
    created_at: 1000,
    revoked_at: null,
    profile: "frugal",
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await using store = await openTestStore(path);
  expect(store.state().keys).toEqual(listed);
  const cli = { actor: "cli", detail: null };
  const { id } = phone.stored;
  expect((await store.listAudit({ limit: 2 })).items).toEqual([
    { ...cli, at: 3000, action: "key.revoke", subject: id },
    { ...cli, at: 2000, action: "key.create", subject: id, detail: "admin key `phone`" },
  ]);
});

test("looking at keys where there is no database makes none", () => {
  using folder = tempDir();
  const keys = keyFile(folder.file("state/veriroute.db"));

  expect(keys.list()).toEqual([]);
  expect(keys.revoke("key-1", 1000)).toBe(false);
  expect(existsSync(folder.file("state"))).toBe(false);
});
