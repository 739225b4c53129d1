import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";

import type { Clock } from "../../lib/clock.ts";
import type { Lease } from "../lease.ts";
import { changeLease, type LeaseChange, newLease } from "./change-lease.ts";
import { moveFile, publishFile, replaceFile } from "./durable-file.ts";
import { keptInMemory, type LeaseError, leaseError, toLeaseError } from "./lease-error.ts";
import type { ReadableLease } from "./read-lease.ts";
import { createUnsaved } from "./unsaved.ts";

/** Whole or not at all, and for good once it settles; throws what the file system throws. */
export interface LeaseFiles {
  readonly publish: typeof publishFile;
  readonly replace: typeof replaceFile;
  readonly move: typeof moveFile;
}

export const STRAIGHT: LeaseFiles = {
  publish: publishFile,
  replace: replaceFile,
  move: moveFile,
};

export interface LeaseWrites {
  /** Puts a lease on disk for good; false, touching nothing, if the name is taken. */
  readonly create: (lease: Omit<Lease, "schema" | "summary">) => Promise<boolean>;
  /**
   * Applies a change to what the file says now; the new lease is on disk once this settles. A change that the
   * disk does not take goes with the next one that it does; `known` is the lease where its file cannot be read.
   */
  readonly update: (
    name: string,
    change: (lease: Lease) => LeaseChange,
    known?: Lease,
  ) => Promise<Lease>;
  /** Writes what the disk has not taken yet, if it does now. Never rejects. */
  readonly catchUp: (name: string) => Promise<void>;
  /** Moves a lease that is proven to cost nothing out of the way, so that its name is free. */
  readonly archive: (name: string) => Promise<void>;
}

export interface WriteLeasesDependencies {
  readonly directory: string;
  readonly pathOf: (name: string) => string;
  /** Throws `LeaseError` where there is none, or it cannot be read. */
  readonly readable: (name: string) => Promise<ReadableLease>;
  readonly clock: Pick<Clock, "now">;
  readonly files: LeaseFiles;
}

const MAX_ARCHIVED = 100;

/** All that changes lease files, one change of a lease at a time. */
export function writeLeases(dependencies: WriteLeasesDependencies): LeaseWrites {
  const { directory, pathOf, readable, clock, files } = dependencies;
  const inTurn = createTurns();
  const unsaved = createUnsaved();

  async function write(lease: ReadableLease): Promise<void> {
    await files.replace(pathOf(lease.name), toText(lease));
    unsaved.drop(lease.name);
  }

  async function update(name: string, change: (lease: Lease) => LeaseChange, known?: Lease) {
    const what = `cannot write \`${pathOf(name)}\``;
    const file = await attempt(what, () => readable(name));
    const before = file.ok ? unsaved.over(file.value) : unsaved.inPlace(name, known);
    if (before === null) throw file.ok ? leaseError("missing", what) : file.error;
    const changed = changeLease(before, change(before.lease), clock.now());
    const written = file.ok ? await attempt(what, () => write(changed)) : file;
    if (written.ok) return changed.lease;
    unsaved.keep(changed, file.ok ? file.value : null);
    throw keptInMemory(written.error, changed.lease);
  }

  async function archive(name: string): Promise<void> {
    const lease = unsaved.over(await readable(name));
    if (!isOver(lease.lease)) {
      throw leaseError("forbidden", `\`${name}\` is ${lease.lease.phase}, not proven released`);
    }
    if (unsaved.has(name)) await write(lease);
    const released = join(directory, "released");
    await files.move(pathOf(name), join(released, `${clock.now()}-${name}.json`));
    await prune(released);
  }

  return {
    create: (lease) =>
      guarded(`cannot write the lease of \`${lease.name}\` to \`${directory}\``, () => {
        unsaved.drop(lease.name);
        return files.publish(pathOf(lease.name), toText(newLease(lease)));
      }),
    update: (name, change, known) => inTurn(name, () => update(name, change, known)),
    catchUp: (name) =>
      inTurn(name, async () => {
        if (!unsaved.has(name)) return;
        await attempt(name, async () => {
          const lease = unsaved.over(await readable(name));
          if (unsaved.has(name)) await write(lease);
        });
      }),
    archive: (name) =>
      inTurn(name, () => guarded(`cannot archive \`${pathOf(name)}\``, () => archive(name))),
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

type Attempted<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: LeaseError };

async function attempt<T>(what: string, act: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { ok: true, value: await act() };
  } catch (error) {
    return { ok: false, error: toLeaseError(error, what) };
  }
}

/** Throws a `LeaseError` for whatever the file system throws; `what` completes "`what`: why". */
export async function guarded<T>(what: string, act: () => Promise<T>): Promise<T> {
  const attempted = await attempt(what, act);
  if (attempted.ok) return attempted.value;
  throw attempted.error;
}

/** Archived leases begin with the time they were archived at. */
async function prune(released: string): Promise<void> {
  const entries = (await readdir(released)).filter((entry) => /^\d+-.*\.json$/.test(entry));
  const old = entries.toSorted().slice(0, -MAX_ARCHIVED);
  for (const entry of old) await rm(join(released, entry), { force: true });
}

function toText({ raw }: ReadableLease): string {
  return `${JSON.stringify(raw, null, 2)}\n`;
}
