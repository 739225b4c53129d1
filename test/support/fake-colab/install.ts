import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { type FakeServer, fileServer } from "./backend.ts";
import type { Faults } from "./faults.ts";
import { CALLS_FILE, SERVER_FILE } from "./files.ts";
import type { FakeMachine } from "./state.ts";

export interface FakeCall {
  readonly at: number;
  readonly pid: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly code?: number;
  readonly interrupted?: string;
}

export interface InstalledColab {
  /** The executable. */
  readonly program: string;
  /** A directory with `colab` and, on demand, the fake `ssh` in it: goes first on the path. */
  readonly bin: string;
  readonly server: FakeServer;
  readonly setFaults: (faults: Faults) => void;
  /** What is on the bill now. */
  readonly billing: () => FakeMachine[];
  /** Every call that came to its end or was interrupted by a fault, oldest first. */
  readonly calls: () => FakeCall[];
}

export interface InstallOptions {
  /** Puts the fake `ssh` beside it. */
  readonly ssh?: boolean;
}

/** Makes a `colab` whose server lives in `directory`, for this and all other processes. */
export function installFakeColab(directory: string, options: InstallOptions = {}): InstalledColab {
  const bin = join(directory, "bin");
  mkdirSync(bin, { recursive: true });
  const program = writeProgram(join(bin, "colab"), import.meta.resolve("./program.ts"), directory);
  if (options.ssh === true) writeProgram(join(bin, "ssh"), import.meta.resolve("./ssh-program.ts"));
  const server = fileServer(join(directory, SERVER_FILE));
  const calls = join(directory, CALLS_FILE);
  return {
    program,
    bin,
    server,
    setFaults: (faults) => server.transact((state) => void (state.faults = faults)),
    billing: () => server.transact(({ machines }) => structuredClone(machines)),
    calls: () =>
      (existsSync(calls) ? readFileSync(calls, "utf8") : "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
}

function writeProgram(path: string, source: string, ...args: readonly string[]): string {
  const words = [process.execPath, Bun.fileURLToPath(source), ...args];
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  // Bun would keep its own copies of this source in the home that a test looks through.
  const noCopies = "export BUN_RUNTIME_TRANSPILER_CACHE_PATH=0";
  writeFileSync(path, `#!/bin/sh\n${noCopies}\nexec ${quoted} "$@"\n`);
  chmodSync(path, 0o755);
  return path;
}
