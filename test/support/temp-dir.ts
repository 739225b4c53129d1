import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempDir extends Disposable {
  readonly path: string;
  /** The path of a name inside. */
  file(name: string): string;
}

/** A directory of its own for a test; `using` removes it with everything inside. */
export function tempDir(): TempDir {
  const path = mkdtempSync(join(tmpdir(), "veriroute-test-"));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
