import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

import { areKeysLost, noteKeys } from "./key-marker.ts";
import { reading } from "./saved-state.ts";
import { readServeLock } from "./serve-lock.ts";
import { openDatabase } from "./sqlite/database.ts";
import { SCHEMA_VERSION } from "./sqlite/migrations.ts";
import { addKey, listKeys, readKeys, revokeKey, writeAudit } from "./sqlite/settings.ts";
import { StoreError, toStoreError } from "./store-error.ts";
import type { KeyScope, StoredKey } from "./store.ts";

const KEY_START = "vr-";
const SECRET_BYTES = 32;
/** Enough to recognise a key in a list, far too little to guess the rest. */
const PREFIX_LENGTH = 8;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new key: `key` is shown once, the rest is kept. */
export interface NewKey {
  readonly key: string;
  readonly hash: string;
  readonly prefix: string;
}

export function newKey(): NewKey {
  const key = KEY_START + randomText(SECRET_BYTES);
  return { key, hash: hashKey(key), prefix: key.slice(0, PREFIX_LENGTH) };
}

/** SHA-256 in hex. Keys are random enough to need no salt and no slow hash. */
export function hashKey(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}

/** `bytes` random bytes in base 62, always of the same length. */
function randomText(bytes: number): string {
  const length = Math.ceil((bytes * 8) / Math.log2(BASE62.length));
  let number = BigInt(`0x${crypto.getRandomValues(Buffer.alloc(bytes)).toString("hex")}`);
  let text = "";
  while (text.length < length) {
    text = BASE62.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return text;
}

export interface KeyRequest {
  readonly name: string;
  readonly scope: KeyScope;
  /** Profile of the requests that come with it, if they name none. */
  readonly profile: string | null;
}

/** A key as `create` returns it: `key` is shown once, `stored` is what is kept. */
export interface MintedKey {
  readonly key: string;
  readonly stored: StoredKey;
}

/** Keys of the database at `path`, beside a running server or without one. All throw `StoreError`. */
export interface KeyFile {
  create(request: KeyRequest, now: number): MintedKey;
  list(): StoredKey[];
  /** There were keys in use, and they went with a database that was damaged or removed. */
  areLost(): boolean;
  /** False if there is no such key or it is revoked already. */
  revoke(id: string, now: number): boolean;
}

/** Only `create` makes the database if there is none, and `list` leaves it as it is. */
export function keyFile(path: string): KeyFile {
  const use = <T>(work: (db: Database) => T): T => {
    refuseOlderInUse(path);
    const db = openDatabase(path);
    try {
      const result = work(db);
      noteKeys(path, listKeys(db));
      return result;
    } catch (error) {
      throw toStoreError(error, `cannot change the keys in \`${path}\``);
    } finally {
      db.close();
    }
  };
  const list = () => reading(path, (db, version) => readKeys(db, version)) ?? [];
  return {
    create: (request, now) =>
      use((db) => {
        const { key, ...kept } = newKey();
        const id = Bun.randomUUIDv7();
        const stored = { id, ...request, ...kept, created_at: now, revoked_at: null };
        addKey(db, stored);
        const detail = `${request.scope} key \`${request.name}\``;
        writeAudit(db, { at: now, actor: "cli", action: "key.create", subject: id, detail });
        return { key, stored };
      }),
    list,
    areLost: () => areKeysLost(path, list()),
    revoke: (id, now) =>
      existsSync(path) &&
      use((db) => {
        const revoked = revokeKey(db, id, now);
        const entry = { at: now, actor: "cli", action: "key.revoke", subject: id, detail: null };
        if (revoked) writeAudit(db, entry);
        return revoked;
      }),
  };
}

/** Opening a database to write brings it to our schema, which a server of an older version cannot use. */
function refuseOlderInUse(path: string): void {
  const version = reading(path, (_, found) => found) ?? SCHEMA_VERSION;
  if (version === SCHEMA_VERSION) return;
  const holder = readServeLock(join(dirname(path), "serve.lock"));
  if (holder === null) return;
  throw new StoreError(
    "locked",
    `\`${path}\` has schema ${version}, this version of veriroute makes it ${SCHEMA_VERSION}, and an older server ` +
      `(pid ${holder.pid}) runs on it. Use the program of that server, or stop it first.`,
  );
}
