import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { inTurn } from "./lock-turn.ts";
import { bootId, processStart } from "./process-identity.ts";
import { toStoreError } from "./store-error.ts";

/** What `serve.lock` says, as JSON. */
export const LockHolder = Type.Object({
  pid: Type.Integer({ minimum: 1 }),
  /** Changes with every boot of the machine; null where the system has none. */
  boot_id: Type.Union([Type.String(), Type.Null()]),
  /** Tells the process from a later one of the same pid; null where the system does not say. */
  process_start: Type.Union([Type.String(), Type.Null()]),
  /** Where the server listens, such as `http://127.0.0.1:8484`; null until it does. */
  address: Type.Union([Type.String(), Type.Null()]),
});
export type LockHolder = Static<typeof LockHolder>;

export interface ServeLock {
  /** Writes where the server listens. */
  announce(address: string): void;
  release(): void;
}

export type LockResult =
  | { readonly kind: "acquired"; readonly lock: ServeLock }
  | { readonly kind: "held"; readonly holder: LockHolder };

/** Somebody else may take each lock that is found to be free, and let go of it at once. */
const ROUNDS = 200;

/** Takes the lock at `path` unless a living process holds it. Throws `StoreError` `unwritable`. */
export function acquireServeLock(path: string): LockResult {
  const own: LockHolder = {
    pid: process.pid,
    boot_id: bootId(),
    process_start: processStart(process.pid),
    address: null,
  };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    // Before anything is written: a disk that takes nothing makes no lock free that is held.
    const living = readServeLock(path);
    if (living) return { kind: "held", holder: living };
    for (let round = 0; round < ROUNDS; round++) {
      if (create(path, own)) return { kind: "acquired", lock: heldLock(path, own) };
      const holder = readServeLock(path);
      if (holder) return { kind: "held", holder };
      removeStale(path);
    }
    throw new Error("others keep taking it");
  } catch (error) {
    throw toStoreError(error, `cannot take \`${path}\``);
  }
}

/** Who serves from this state directory; null if nobody does, or the one who did is gone. */
export function readServeLock(path: string): LockHolder | null {
  const text = readText(path);
  return text === null ? null : livingHolder(text);
}

/** Null where a lock says nothing, or its process is gone. */
function livingHolder(text: string): LockHolder | null {
  const holder = parseHolder(text);
  return holder && isAlive(holder) ? holder : null;
}

function heldLock(path: string, own: LockHolder): ServeLock {
  return {
    announce(address) {
      const next = writeBeside(path, { ...own, address });
      renameSync(next, path);
    },
    release() {
      const holder = parseHolder(readText(path) ?? "");
      const isOurs = holder?.pid === own.pid && holder.process_start === own.process_start;
      if (isOurs) rmSync(path, { force: true });
    },
  };
}

/** Puts the finished file in place in one step; false if there is one already. */
function create(path: string, holder: LockHolder): boolean {
  const next = writeBeside(path, holder);
  try {
    linkSync(next, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!NO_HARD_LINKS.has(codeOf(error))) throw error;
    return createInPlace(path, holder);
  } finally {
    rmSync(next, { force: true });
  }
}

/** How file systems refuse hard links that do not have them. */
const NO_HARD_LINKS = new Set<unknown>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Second best: a rival that reads between the two steps takes the empty file for a stale lock. */
function createInPlace(path: string, holder: LockHolder): boolean {
  try {
    writeFileSync(path, toText(holder), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead process. Rivals take turns: were two to look at once, the slower one
 * could remove what the faster one has put there since.
 */
function removeStale(path: string): void {
  inTurn(dirname(path), () => {
    const text = readText(path);
    // One that is not there yet may be there, and held, the moment after.
    if (text !== null && livingHolder(text) === null) rmSync(path, { force: true });
  });
}

const toText = (holder: LockHolder) => `${JSON.stringify(holder)}\n`;

function writeBeside(path: string, holder: LockHolder): string {
  const next = `${path}.new-${process.pid}`;
  const file = openSync(next, "w", 0o600);
  try {
    writeSync(file, toText(holder));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return next;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw toStoreError(error, `cannot read \`${path}\``);
  }
}

/** Null for anything that no server wrote: locks appear whole, so there is no half-written one to wait for. */
function parseHolder(text: string): LockHolder | null {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(LockHolder, value) ? value : null;
  } catch {
    return null;
  }
}

function isAlive({ pid, boot_id, process_start }: LockHolder): boolean {
  if (differ(boot_id, bootId())) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    if (codeOf(error) !== "EPERM") return false;
  }
  return !differ(process_start, processStart(pid));
}

/** What only one side knows proves nothing. */
function differ(left: string | null, right: string | null): boolean {
  return left !== null && right !== null && left !== right;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
