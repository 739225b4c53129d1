import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "../../lib/clock.ts";
import { LEASE_NAME } from "../lease.ts";
import { TEMPORARY } from "./durable-file.ts";
import { codeOf, leaseError, toLeaseError } from "./lease-error.ts";
import { type LeaseFile, type ReadableLease, readLease } from "./read-lease.ts";
import {
  guarded,
  type LeaseFiles,
  type LeaseWrites,
  STRAIGHT,
  writeLeases,
} from "./write-leases.ts";

/** Whoever holds the lock of a name is the one that may change its lease. */
export type LeaseLock =
  | { readonly kind: "acquired"; readonly lock: { release(): void } }
  | { readonly kind: "held"; readonly holder: { readonly pid: number } };

export interface LeasesDependencies {
  /** `runtimes` in the state directory; made when the first lease is. */
  readonly directory: string;
  readonly clock: Pick<Clock, "now">;
  /** Takes a lock file for as long as this process lives, over from a dead one too. */
  readonly takeLock: (path: string) => LeaseLock;
  /** How files get on the disk, if not straight. */
  readonly files?: LeaseFiles;
}

export interface Leases extends LeaseWrites {
  /** All files, those that cannot be read too, by name. */
  readonly list: () => Promise<readonly LeaseFile[]>;
  /** Null if there is none. */
  readonly read: (name: string) => Promise<LeaseFile | null>;
  readonly lock: (name: string) => LeaseLock;
  /** Removes what a write left that was cut short more than a minute ago. */
  readonly sweep: () => Promise<void>;
}

/** A lease takes some 3 KiB; whatever is larger is none. */
const MAX_BYTES = 1024 * 1024;
const STALE_TEMPORARY_MS = 60_000;

/** The leases of a state directory. Everything but reading throws `LeaseError` where the disk fails. */
export function openLeases(dependencies: LeasesDependencies): Leases {
  const { directory, clock, takeLock } = dependencies;
  const pathOf = (name: string) => join(directory, `${name}.json`);

  const read = async (name: string): Promise<LeaseFile | null> => {
    if (!LEASE_NAME.test(name)) return null;
    return readFileOf(directory, name);
  };

  const readable = async (name: string): Promise<ReadableLease> => {
    const file = await read(name);
    if (file === null) throw leaseError("missing", `there is no lease \`${name}\``);
    if (file.kind === "lease") return file;
    throw leaseError("unreadable", `\`${pathOf(name)}\` cannot be used: ${file.reason}`);
  };

  return {
    read,
    list: async () => {
      const names = (await entriesOf(directory))
        .filter((entry) => entry.endsWith(".json"))
        .map((entry) => entry.slice(0, -".json".length))
        .toSorted();
      const files = await Promise.all(names.map((name) => readFileOf(directory, name)));
      return files.filter((file) => file !== null);
    },
    ...writeLeases({ directory, pathOf, readable, clock, files: dependencies.files ?? STRAIGHT }),
    lock: (name) => takeLock(join(directory, `${name}.lock`)),
    sweep: () => guarded(`cannot tidy \`${directory}\``, () => sweep(directory, clock.now())),
  };
}

/** Null only if there is no such file: one that cannot be read may be of a machine that runs. */
async function readFileOf(directory: string, name: string): Promise<LeaseFile | null> {
  const path = join(directory, `${name}.json`);
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) return { kind: "unreadable", name, reason: "it is larger than 1 MiB" };
    return readLease(name, await readFile(path, "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    return { kind: "unreadable", name, reason: `it cannot be read (${String(codeOf(error))})` };
  }
}

async function entriesOf(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw toLeaseError(error, `cannot list \`${directory}\``);
  }
}

async function sweep(directory: string, now: number): Promise<void> {
  for (const entry of await entriesOf(directory)) {
    if (!entry.startsWith(".") || !entry.endsWith(TEMPORARY)) continue;
    const path = join(directory, entry);
    // Gone meanwhile: its write has come to an end.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > STALE_TEMPORARY_MS) await rm(path, { force: true });
  }
}
