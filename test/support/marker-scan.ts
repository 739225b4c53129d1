import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Regular files below a directory, links not followed. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) return filesBelow(path);
    return stat?.isFile() === true ? [path] : [];
  });
}

/** Those of the files in which one of the texts is. */
export function filesWith(texts: readonly string[], paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const content = readFileSync(path, "latin1");
    return texts.some((text) => content.includes(text));
  });
}

/** Arguments and environments of everything that runs with `mark` among its arguments. */
export function processTexts(mark: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && Number(pid) !== process.pid)
    .flatMap((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        return words.includes(mark) ? [words, readFileSync(`/proc/${pid}/environ`, "utf8")] : [];
      } catch {
        return [];
      }
    });
}

/** Those of the texts that are in one of the others. */
export function textsIn(texts: readonly string[], where: readonly string[]): string[] {
  return texts.filter((text) => where.some((other) => other.includes(text)));
}
