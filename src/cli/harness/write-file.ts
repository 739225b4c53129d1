import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

const BACKUP_SUFFIX = ".before-veriroute";

/** What a file held before the first write; null where nothing is kept. */
export const firstText = (path: string): string | null => readText(`${path}${BACKUP_SUFFIX}`);

/** Null if there is none. Throws what the file system throws. */
export function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/**
 * Replaces a file whole or not at all, or deletes it. Before the first `write` what stood there is copied
 * beside it; an `undo` that leads back to just that takes the copy away. Returns the copy's path, null
 * where there is none.
 */
export function replaceText(
  path: string,
  after: string | null,
  why: "write" | "undo",
): string | null {
  const backup = `${path}${BACKUP_SUFFIX}`;
  // A second write must not replace the copy of what the person had.
  if (why === "write" && existsSync(path) && !existsSync(backup)) copyFileSync(path, backup);
  if (after === null) rmSync(path, { force: true });
  else replace(path, after);
  if (why === "undo" && readText(backup) === after) rmSync(backup, { force: true });
  return existsSync(backup) ? backup : null;
}

function replace(path: string, text: string): void {
  const mode = existsSync(path) ? statSync(path).mode & 0o777 : 0o600;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.veriroute-draft`;
  writeFileSync(draft, text, { mode });
  // The mode of a draft that a crash left behind would stay.
  chmodSync(draft, mode);
  renameSync(draft, path);
}
