import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "../../lib/clock.ts";
import { type Lease, LEASE_NAME } from "../lease.ts";
import { changeLease, type LeaseChange, newLease } from "./change-lease.ts";
import { moveFile, publishFile, replaceFile, TEMPORARY } from "./durable-file.ts";
import { codeOf, leaseError, toLeaseError } from "./lease-error.ts";
import { type LeaseFile, type ReadableLease, readLease } from "./read-lease.ts";

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
}

export interface Leases {
  /** All files, those that cannot be read too, by name. */
  readonly list: () => Promise<readonly LeaseFile[]>;
  /** Null if there is none. */
  readonly read: (name: string) => Promise<LeaseFile | null>;
  /** Puts a lease on disk for good; false, touching nothing, if the name is taken. */
  readonly create: (lease: Omit<Lease, "schema" | "summary">) => Promise<boolean>;
  /** Applies a change to what the file says now; the new lease is on disk once this settles. */
  readonly update: (name: string, change: (lease: Lease) => LeaseChange) => Promise<Lease>;
  /** Moves a lease that is proven to cost nothing out of the way, so that its name is free. */
  readonly archive: (name: string) => Promise<void>;
  readonly lock: (name: string) => LeaseLock;
  /** Removes what a write left that was cut short more than a minute ago. */
  readonly sweep: () => Promise<void>;
}

/** A lease takes some 3 KiB; whatever is larger is none. */
const MAX_BYTES = 1024 * 1024;
const STALE_TEMPORARY_MS = 60_000;
const MAX_ARCHIVED = 100;

/** The leases of a state directory. Everything but reading throws `LeaseError` where the disk fails. */
export function openLeases({ directory, clock, takeLock }: LeasesDependencies): Leases {
  const pathOf = (name: string) => join(directory, `${name}.json`);
  const inTurn = createTurns();

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
    create: (lease) =>
      guarded(`cannot write the lease of \`${lease.name}\` to \`${directory}\``, () =>
        publishFile(pathOf(lease.name), toText(newLease(lease))),
      ),
    update: (name, change) =>
      inTurn(name, () =>
        guarded(`cannot write \`${pathOf(name)}\``, async () => {
          const file = await readable(name);
          const changed = changeLease(file, change(file.lease), clock.now());
          await replaceFile(pathOf(name), toText(changed));
          return changed.lease;
        }),
      ),
    archive: (name) =>
      inTurn(name, () =>
        guarded(`cannot archive \`${pathOf(name)}\``, async () => {
          const { lease } = await readable(name);
          if (!isOver(lease)) {
            throw leaseError("forbidden", `\`${name}\` is ${lease.phase}, not proven released`);
          }
          const released = join(directory, "released");
          await moveFile(pathOf(name), join(released, `${clock.now()}-${name}.json`));
          await prune(released);
        }),
      ),
    lock: (name) => takeLock(join(directory, `${name}.lock`)),
    sweep: () => guarded(`cannot tidy \`${directory}\``, () => sweep(directory, clock.now())),
  };
}

/** A failed one needs no proof where nothing was ever asked of Colab. */
function isOver({ phase, release }: Lease): boolean {
  return phase === "failed" || (phase === "stopped" && release.proof !== null);
}

/** One change of a lease at a time: each reads what the one before has written. */
function createTurns() {
  const last = new Map<string, Promise<unknown>>();
  return async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const before = last.get(name) ?? Promise.resolve();
    const turn = before.then(act, act);
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}

async function guarded<T>(what: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw toLeaseError(error, what);
  }
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

/** Archived leases begin with the time they were archived at. */
async function prune(released: string): Promise<void> {
  const entries = (await entriesOf(released)).filter((entry) => /^\d+-.*\.json$/.test(entry));
  const old = entries.toSorted().slice(0, -MAX_ARCHIVED);
  for (const entry of old) await rm(join(released, entry), { force: true });
}

function toText({ raw }: ReadableLease): string {
  return `${JSON.stringify(raw, null, 2)}\n`;
}
