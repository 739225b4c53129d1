import type { Lease } from "../lease.ts";
import { overlay } from "./change-lease.ts";
import { type JsonObject, type ReadableLease, readLease } from "./read-lease.ts";

/**
 * Leases as they would be on disk had it taken every change. They live until a write succeeds: without
 * them the first one after a disk has recovered would take back whatever was done meanwhile, a release
 * that has begun above all.
 */
export interface Unsaved {
  /** What the file says, with the changes that it lacks. */
  readonly over: (file: ReadableLease) => ReadableLease;
  /** The lease where its file cannot be read: as it was to be, else as whoever answers for it knows it. */
  readonly inPlace: (name: string, known: Lease | undefined) => ReadableLease | null;
  /** `file` null: it could not be read. */
  readonly keep: (lease: ReadableLease, file: ReadableLease | null) => void;
  readonly has: (name: string) => boolean;
  readonly drop: (name: string) => void;
}

interface Held {
  readonly lease: ReadableLease;
  /** What the file said when the first change was lost; null where it could not be read. */
  readonly file: string | null;
}

export function createUnsaved(): Unsaved {
  const held = new Map<string, Held>();
  return {
    over(file) {
      const one = held.get(file.name);
      if (one === undefined) return file;
      if (isOf(one, file)) {
        // Fields of later versions are known from the file alone where it could not be read before.
        const read = readLease(file.name, JSON.stringify(overlay(file.raw, one.lease.raw)));
        if (read.kind === "lease") return read;
      }
      // Somebody else has written it since, or the write that failed came through all the same.
      held.delete(file.name);
      return file;
    },
    inPlace(name, known) {
      const one = held.get(name)?.lease;
      if (one !== undefined || known === undefined) return one ?? null;
      const read = readLease(name, JSON.stringify(known));
      return read.kind === "lease" ? read : null;
    },
    keep(lease, file) {
      const before = held.get(lease.name)?.file ?? null;
      held.set(lease.name, { lease, file: before ?? (file === null ? null : textOf(file.raw)) });
    },
    has: (name) => held.has(name),
    drop: (name) => void held.delete(name),
  };
}

function isOf({ lease, file }: Held, found: ReadableLease): boolean {
  if (lease.lease.lease_id !== found.lease.lease_id) return false;
  return file === null || file === textOf(found.raw);
}

const textOf = (raw: JsonObject) => JSON.stringify(raw);
