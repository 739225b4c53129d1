import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { type BakedEntry, openBakedFiles } from "../../runtimes/bake/baked-files.ts";
import { LEASE_NAME } from "../../runtimes/lease.ts";
import { bakedDirectory, leaseDirectory, plansDirectory } from "../../runtimes/places.ts";
import type { OwnRuntimes } from "./own.ts";

export interface Kept {
  readonly name: string;
  readonly kind: "baked" | "plan" | "store" | "lease";
  readonly path: string;
  readonly bytes: number;
  /** Epoch ms; null where the file system does not tell. */
  readonly changed_at: number | null;
  /** Whether its sentinel says that it is whole; null for what has none. */
  readonly complete: boolean | null;
  readonly use: "runtime" | "starts" | "history" | "none";
  readonly detail: string;
}

/** Everything that runtimes have left on this computer, whatever it is good for. */
export async function keptIn(own: OwnRuntimes): Promise<readonly Kept[]> {
  return [...(await bakedIn(own)), ...plansIn(own), ...(await storesIn(own)), ...releasedIn(own)];
}

async function bakedIn(own: OwnRuntimes): Promise<Kept[]> {
  const entries = await openBakedFiles(bakedDirectory(own.state_dir)).list();
  return entries.map((entry) => bakedOf(entry, own.watcherOf(bakeName(entry.name)) !== null));
}

function bakedOf({ manifest, ...entry }: BakedEntry, isBusy: boolean): Kept {
  if (manifest === null) {
    const detail = isBusy ? "being made" : "it did not come whole";
    return { ...entry, kind: "baked", complete: false, use: isBusy ? "runtime" : "none", detail };
  }
  const { packages, wheels, python } = manifest;
  const detail = `${packages.length} versions, ${wheels.length} wheels, Python ${python}`;
  return { ...entry, kind: "baked", complete: true, use: "starts", detail };
}

/** The runtime that makes what lies there; a draft is named `.KEY.ID`. */
function bakeName(entry: string): string {
  return `bake-${entry.replace(/^\.([^.]*)\..*$/, "$1")}`;
}

/** By the model that has come up; half a write that a kill left is of no use. */
function plansIn({ state_dir }: OwnRuntimes): Kept[] {
  const root = plansDirectory(state_dir);
  return entriesIn(root).map((file) =>
    keptAt(root, file, { kind: "plan", use: file.endsWith(".json") ? "starts" : "none" }),
  );
}

/** Of the `colab` command: login links, session and ssh key of each runtime. */
async function storesIn({ state_dir, leases }: OwnRuntimes): Promise<Kept[]> {
  const root = join(state_dir, "colab");
  const used = new Set((await leases.list()).map(({ name }) => name));
  return entriesIn(root).map((name) => {
    const isUsed = used.has(name) || !LEASE_NAME.test(name);
    return keptAt(root, name, { kind: "store", use: isUsed ? "runtime" : "none" });
  });
}

function releasedIn({ state_dir }: OwnRuntimes): Kept[] {
  const root = join(leaseDirectory(state_dir), "released");
  return entriesIn(root).map((name) => keptAt(root, name, { kind: "lease", use: "history" }));
}

function keptAt(root: string, name: string, is: Pick<Kept, "kind" | "use">): Kept {
  const path = join(root, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  const changed_at = stat === undefined ? null : Math.round(stat.mtimeMs);
  return { name, ...is, path, bytes: sizeOf(path), changed_at, complete: null, detail: "" };
}

/** False where a runtime of that name came meanwhile: what it needs is not to go. */
export async function removeKept(own: OwnRuntimes, kept: Kept): Promise<boolean> {
  if (kept.kind === "plan") {
    rmSync(kept.path, { force: true });
    return true;
  }
  const runtime = kept.kind === "baked" ? bakeName(kept.name) : kept.name;
  const taken = LEASE_NAME.test(runtime) ? own.leases.lock(runtime) : null;
  if (taken?.kind === "held") return false;
  try {
    if (kept.kind === "baked") {
      await openBakedFiles(bakedDirectory(own.state_dir)).remove(kept.name);
      return true;
    }
    if ((await own.leases.read(kept.name)) !== null) return false;
    rmSync(kept.path, { recursive: true, force: true });
    return true;
  } finally {
    taken?.lock.release();
  }
}

function entriesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).toSorted() : [];
}

/** Links are not followed: the login lies elsewhere. */
function sizeOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .reduce((sum, entry) => sum + sizeOf(join(path, entry.name)), 0);
}
