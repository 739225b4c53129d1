import type { LeasePlan } from "../lease-plan.ts";
import { cudaArguments, PACKAGES, PIP_ENVIRONMENT } from "./server-plan.ts";
import { VM_BAKED_PREFIX } from "./vm-paths.ts";

/**
 * What the baker carries out. In the commands `{python}` stands for the machine's interpreter, `{report}`
 * and `{wheels}` for paths, and `{package}` for a name with its version.
 */
export interface BakePlan {
  /** Programs that it needs; each as the names and places that one may have. */
  readonly tools: readonly (readonly string[])[];
  readonly environment: Readonly<Record<string, string>>;
  readonly resolve: readonly string[];
  /** Packages that indexes have as source only. */
  readonly build: readonly string[];
  readonly wheel: readonly string[];
  readonly parts_at: string;
  readonly part_bytes: number;
}

/** Above some 10 MB transfers are reported to fail, and Base64 adds a third. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * For the recipe and the GPU of a plan. Nothing of it is for one model: weights would have to come here and
 * go out again, while a machine has them from the Hub.
 */
export function bakePlan({ recipe, sku }: Pick<LeasePlan, "recipe" | "sku">): BakePlan {
  const pip = ["{python}", "-m", "pip"];
  const isBuilt = recipe === "llamacpp";
  return {
    tools: isBuilt ? [["nvcc", "/usr/local/cuda/bin/nvcc"]] : [],
    environment: {
      ...PIP_ENVIRONMENT,
      // Of the processor only what every machine has: it is another one that will run it.
      ...(isBuilt ? { CMAKE_ARGS: `${cudaArguments(sku)} -DGGML_NATIVE=OFF` } : {}),
    },
    resolve: [
      ...pip,
      "install",
      "--quiet",
      "--dry-run",
      "--report",
      "{report}",
      ...PACKAGES[recipe],
    ],
    build: isBuilt ? ["llama-cpp-python"] : [],
    wheel: [...pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", "{wheels}", "{package}"],
    parts_at: VM_BAKED_PREFIX,
    part_bytes: PART_BYTES,
  };
}

/** What is prepared is good for every model of the same recipe, and, where it is built, of the same GPU. */
export function bakeKey({ recipe, sku }: Pick<LeasePlan, "recipe" | "sku">): string {
  return recipe === "vllm" ? recipe : `${recipe}-${sku.toLowerCase()}`;
}
