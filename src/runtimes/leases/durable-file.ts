import { link, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { codeOf } from "./lease-error.ts";

/** What a temporary file ends in; the name before it is only there for people. */
export const TEMPORARY = ".tmp";

/** How file systems refuse hard links that do not have them. */
const NO_HARD_LINKS = new Set<unknown>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** Puts `text` in place of what is at `path`, whole or not at all, and there for good once this settles. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const next = await writeBeside(path, text);
  try {
    await rename(next, path);
  } catch (error) {
    await rm(next, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** The same where nothing may be there yet; false if something is. */
export async function publishFile(path: string, text: string): Promise<boolean> {
  const next = await writeBeside(path, text);
  try {
    await link(next, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!NO_HARD_LINKS.has(codeOf(error))) throw error;
    // Second best: whoever publishes holds the lock of that name.
    if (await exists(path)) return false;
    await rename(next, path);
  } finally {
    await rm(next, { force: true });
  }
  await syncDirectory(dirname(path));
  return true;
}

/** Moves a file of the same file system and makes both directories remember. */
export async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await rename(from, to);
  await syncDirectory(dirname(to));
  await syncDirectory(dirname(from));
}

async function writeBeside(path: string, text: string): Promise<string> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const next = join(directory, `.${Bun.randomUUIDv7()}${TEMPORARY}`);
  await writeNewFile(next, text);
  return next;
}

/** A file that is not there yet, its content there for good once this settles; nothing where that fails. */
export async function writeNewFile(path: string, content: string | Uint8Array): Promise<void> {
  try {
    const file = await open(path, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (codeOf(error) !== "EEXIST") await rm(path, { force: true });
    throw error;
  }
}

/** Without it a power cut can take back a rename that was already reported. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    const file = await open(path, "r");
    await file.close();
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
