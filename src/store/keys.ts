import { existsSync } from "node:fs";

import { openDatabase } from "./sqlite/database.ts";
import { addKey, listKeys, revokeKey, writeAudit } from "./sqlite/settings.ts";
import { toStoreError } from "./store-error.ts";
import type { KeyScope, StoredKey } from "./store.ts";

const KEY_START = "vr-";
const SECRET_BYTES = 32;
const ID_BYTES = 9;
/** Enough to recognise a key in a list, far too little to guess the rest. */
const PREFIX_LENGTH = 8;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A new key: `key` is shown once, `stored` is what is kept. */
export interface MintedKey {
  readonly key: string;
  readonly stored: StoredKey;
}

export interface KeyRequest {
  readonly name: string;
  readonly scope: KeyScope;
}

export function mintKey({ name, scope }: KeyRequest, now: number): MintedKey {
  const key = KEY_START + randomText(SECRET_BYTES);
  const stored = {
    id: `key_${randomText(ID_BYTES)}`,
    name,
    scope,
    hash: hashKey(key),
    prefix: key.slice(0, PREFIX_LENGTH),
    created_at: now,
    revoked_at: null,
  };
  return { key, stored };
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

/** Keys of the database at `path`, beside a running server or without one. All throw `StoreError`. */
export interface KeyFile {
  create(request: KeyRequest, now: number): MintedKey;
  list(): StoredKey[];
  /** False if there is no such key or it is revoked already. */
  revoke(id: string, now: number): boolean;
}

/** Only `create` makes the database if there is none. */
export function keyFile(path: string): KeyFile {
  const use = <T>(work: (db: ReturnType<typeof openDatabase>) => T): T => {
    const db = openDatabase(path);
    try {
      return work(db);
    } catch (error) {
      throw toStoreError(error, `cannot change the keys in \`${path}\``);
    } finally {
      db.close();
    }
  };
  return {
    create: (request, now) =>
      use((db) => {
        const minted = mintKey(request, now);
        addKey(db, minted.stored);
        writeAudit(db, byCli(now, "key.create", minted.stored.id));
        return minted;
      }),
    list: () => (existsSync(path) ? use(listKeys) : []),
    revoke: (id, now) =>
      existsSync(path) &&
      use((db) => {
        const revoked = revokeKey(db, id, now);
        if (revoked) writeAudit(db, byCli(now, "key.revoke", id));
        return revoked;
      }),
  };
}

const byCli = (at: number, action: string, subject: string) => ({
  at,
  actor: "cli",
  action,
  subject,
  detail: null,
});
