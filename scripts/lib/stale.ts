import { statSync } from "node:fs";
import { join } from "node:path";

/** What the binary is made of; a change to anything else does not call for a new one. */
const SOURCES = ["src/**/*", "scripts/build.ts", "package.json", "bun.lock"];

/** True if `binary` is missing or older than a source of the repository at `root`. */
export function isStale(root: string, binary: string): boolean {
  const built = statSync(binary, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) return true;
  return SOURCES.some((pattern) =>
    [...new Bun.Glob(pattern).scanSync({ cwd: root, onlyFiles: false })].some(
      (file) => statSync(join(root, file)).mtimeMs > built,
    ),
  );
}
