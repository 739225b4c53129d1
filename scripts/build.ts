/**
 * The one way to make the binary. `bun scripts/build.ts [--if-stale]`; the output is the same bytes
 * for the same sources.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { version } from "../package.json";
import { isStale } from "./lib/stale.ts";

const root = dirname(import.meta.dir);
const binary = join(root, "dist", "veriroute");

async function build(): Promise<void> {
  // A build that fails half way leaves the last good binary; the file keeps its name meanwhile
  // because the name is part of the paths inside.
  const folder = join(root, "dist", `.build-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    const result = await Bun.build({
      entrypoints: [join(root, "src/main.ts"), ...workers()],
      // A Worker of `src/store/worker.ts` lies at `./store/worker.ts`, seen from the binary's code.
      root: join(root, "src"),
      compile: {
        outfile: join(folder, "veriroute"),
        // A binary must not run what lies in the directory it is started from: by default Bun
        // loads ./.env and ./bunfig.toml, whose `preload` is code.
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
      format: "esm",
      bytecode: true,
      minify: { syntax: true, whitespace: true },
      sourcemap: "linked",
      define: { BUILD_VERSION: JSON.stringify(version) },
    });
    if (!result.success) throw new AggregateError(result.logs, "build failed");
    renameSync(join(folder, "veriroute"), binary);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A Worker's file is only in the binary if it is an entry point of its own. */
function workers(): string[] {
  return [...new Bun.Glob("src/**/{*-,}worker.ts").scanSync(root)]
    .map((path) => join(root, path))
    .toSorted();
}

if (!process.argv.includes("--if-stale") || isStale(root, binary)) {
  await build();
  console.log(`built dist/veriroute ${version}`);
}
