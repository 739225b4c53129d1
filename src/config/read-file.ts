import { readFileSync, statSync } from "node:fs";

export type FileText =
  | { readonly ok: true; readonly text: string; readonly mode: number }
  | { readonly ok: false; readonly reason: string };

/** Reads a small UTF-8 file whole. `mode` is its permission bits; `reason` completes "cannot be read: …". */
export type ReadFile = (path: string) => FileText;

const MAX_BYTES = 4 * 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  ENOTDIR: "part of its path is no directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "too many symbolic links",
};

export const readSmallFile: ReadFile = (path) => {
  try {
    const stat = statSync(path);
    // A pipe or device could block the process for ever or never end.
    if (!stat.isFile()) {
      return {
        ok: false,
        reason: stat.isDirectory() ? "it is a directory" : "it is no plain file",
      };
    }
    if (stat.size > MAX_BYTES) return { ok: false, reason: "it is larger than 4 MiB" };
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
    return { ok: true, text, mode: stat.mode & 0o777 };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
};

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return "it is not UTF-8 text";
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return REASONS[code] ?? code;
}

/** Files as they are now, and as they were when `keep` was last called. */
export function rememberFiles(readFile: ReadFile): {
  readonly fresh: ReadFile;
  readonly kept: ReadFile;
  readonly keep: () => void;
} {
  let latest = new Map<string, FileText>();
  let kept = latest;
  return {
    fresh: (path) => {
      const file = readFile(path);
      latest.set(path, file);
      return file;
    },
    kept: (path) => kept.get(path) ?? readFile(path),
    keep: () => {
      kept = latest;
      latest = new Map();
    },
  };
}
