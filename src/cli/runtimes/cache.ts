import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { leaseDirectory } from "../../runtimes/places.ts";
import { EXIT, type Words } from "../command.ts";
import type { Shell } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";
import type { OwnRuntimes } from "./own.ts";

interface Kept {
  readonly path: string;
  readonly what: string;
  readonly bytes: number;
}

/** Lists what runtimes have left on this machine. Nothing is deleted. */
export async function runCache(own: OwnRuntimes, words: Words, shell: Shell): Promise<number> {
  const kept = [...(await storesOf(own)), ...releasedOf(own)];
  if (words.flags.has("json")) {
    shell.print(JSON.stringify({ items: kept }));
    return EXIT.ok;
  }
  const rows = kept.map(({ path, what, bytes }) => [`${Math.ceil(bytes / 1024)} KiB`, what, path]);
  shell.print(kept.length === 0 ? "nothing is kept on this machine" : table(rows));
  shell.complain(NO_DRIVE);
  return EXIT.ok;
}

const NO_DRIVE =
  "on Colab's side nothing outlives a machine: a Drive would, and asks a person for consent at every start";

/** Of the `colab` command: login links, session and ssh key of each runtime. */
async function storesOf({ state_dir, leases }: OwnRuntimes): Promise<Kept[]> {
  const root = join(state_dir, "colab");
  const used = new Set((await leases.list()).map(({ name }) => name));
  return entriesOf(root).map((name) => {
    const what = used.has(name) || name.startsWith(".") ? "in use" : "left over, may be removed";
    return { path: join(root, name), what, bytes: sizeOf(join(root, name)) };
  });
}

function releasedOf({ state_dir }: OwnRuntimes): Kept[] {
  const directory = join(leaseDirectory(state_dir), "released");
  return entriesOf(directory).map((name) => {
    const path = join(directory, name);
    return { path, what: "lease of a released runtime", bytes: sizeOf(path) };
  });
}

function entriesOf(directory: string): readonly string[] {
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
