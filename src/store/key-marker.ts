import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { IN_MEMORY } from "./sqlite/database.ts";
import type { StoredKey } from "./store.ts";

const TEXT = `A key was made here and is in use. Should the database lose its keys, this file keeps the router closed
until \`veriroute keys create\` makes new ones.
`;

/** Lies beside the database, so that it outlives one that is damaged or removed. */
const markerOf = (path: string) => join(dirname(path), "keys.made");

const isInUse = ({ revoked_at }: StoredKey) => revoked_at === null;

/** Remembers outside of the database at `path` whether it holds keys in use. */
export function noteKeys(path: string, keys: readonly StoredKey[]): void {
  // A table without any row says nothing: revoked keys stay in it.
  if (path === IN_MEMORY || keys.length === 0) return;
  try {
    if (!keys.some(isInUse)) rmSync(markerOf(path), { force: true });
    else if (!existsSync(markerOf(path))) writeFileSync(markerOf(path), TEXT, { mode: 0o600 });
  } catch {
    // A disk that takes nothing: the next start tries again.
  }
}

/** Whether the database at `path` held keys that are gone, though nobody revoked them. */
export function areKeysLost(path: string, keys: readonly StoredKey[]): boolean {
  return path !== IN_MEMORY && keys.length === 0 && existsSync(markerOf(path));
}
