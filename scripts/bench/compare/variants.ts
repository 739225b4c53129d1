/**
 * Binaries of this source with one part silenced, for what no config key switches off: the source is copied
 * to the scratch directory, the part's module wrapped there, and the copy's own build run.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..", "..");

interface Variant {
  readonly name: string;
  /** The module that is wrapped, and the one that stands in for it; `./wrapped.ts` is the original. */
  readonly module: string;
  readonly wrapper: string;
}

export const STORE_OFF: Variant = {
  name: "store off",
  module: "src/store/open.ts",
  wrapper: `export * from "./wrapped.ts";
import { openStore as open } from "./wrapped.ts";
const nothing = () => undefined;
export async function openStore(dependencies) {
  return { ...(await open(dependencies)), recordDecision: nothing, recordVerification: nothing };
}
`,
};

export const METRICS_OFF: Variant = {
  name: "metrics off",
  module: "src/telemetry/metrics.ts",
  wrapper: `export * from "./wrapped.ts";
import { createMetrics as create } from "./wrapped.ts";
export function createMetrics(dependencies) {
  return { ...create(dependencies), sink: { name: "metrics", record: () => undefined } };
}
`,
};

/** The path of the variant's binary; throws with the build's output if it cannot be made. */
export function buildVariant(variant: Variant, scratch: string): string {
  const copy = join(scratch, variant.name.replaceAll(" ", "-"));
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const name of ["src", "scripts", "package.json", "bun.lock", "tsconfig.json"]) {
    cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const original = join(copy, variant.module);
  if (!existsSync(original)) throw new Error(`${variant.name}: there is no ${variant.module}`);
  renameSync(original, join(original, "..", "wrapped.ts"));
  writeFileSync(original, variant.wrapper);
  const build = Bun.spawnSync([process.execPath, join(copy, "scripts", "build.ts")], { cwd: copy });
  if (build.exitCode !== 0) throw new Error(`${variant.name}: ${build.stderr.toString()}`);
  return join(copy, "dist", "veriroute");
}
