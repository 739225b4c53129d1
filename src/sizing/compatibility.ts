import type { Gpu } from "./gpus.ts";
import type { ModelFacts } from "./model-facts.ts";
import { isQuantized } from "./param-count.ts";
import type { Quant } from "./quant.ts";

/** What serves the model on the VM. */
export type Recipe = "vllm" | "llamacpp";

const BFLOAT16 = 8;
const FP8 = 8;

/** Model types that vLLM refuses to run in float16; in float32 they would be twice the size. */
const REFUSE_FLOAT16: ReadonlySet<string> = new Set([
  "gemma2",
  "gemma3",
  "gemma3_text",
  "plamo2",
  "glm4",
]);

export function recipeOf(facts: ModelFacts, quant: Quant | null): Recipe {
  if (quant !== null) return quant.family === "gguf" ? "llamacpp" : "vllm";
  return facts.gguf.length > 0 && facts.tensors === null ? "llamacpp" : "vllm";
}

/** The argument of `--dtype` on a GPU: without bfloat16 the server does not fall back by itself. */
export function dtypeOn(gpu: Gpu, recipe: Recipe): "auto" | "half" {
  return recipe === "vllm" && gpu.compute_capability < BFLOAT16 ? "half" : "auto";
}

/** Why the server would not start on this GPU, whatever the memory; null if nothing is known against it. */
export function obstacleOn(gpu: Gpu, facts: ModelFacts, quant: Quant | null): string | null {
  if (recipeOf(facts, quant) === "llamacpp") return null;
  if (gpu.compute_capability < FP8 && isFp8(facts, quant)) {
    return `FP8 weights need compute capability ${FP8}.0, and it has ${gpu.compute_capability}`;
  }
  if (gpu.compute_capability >= BFLOAT16) return null;
  const { model_types } = facts.architecture;
  const refusing = model_types.find((type) => REFUSE_FLOAT16.has(type));
  if (refusing !== undefined) {
    return `it has no bfloat16, and vLLM refuses ${refusing} in float16`;
  }
  if (model_types.length > 0) return null;
  return "it has no bfloat16, and the model's type is unknown: vLLM refuses some in float16";
}

function isFp8({ quant_method, tensors }: ModelFacts, quant: Quant | null): boolean {
  if (quant?.family === "fp8" || /fp8/i.test(quant_method ?? "")) return true;
  const dtypes = Object.keys(tensors ?? {});
  if (dtypes.some((dtype) => dtype.startsWith("F8"))) return true;
  // A container for several formats, FP8 among them.
  return quant_method === "compressed-tensors" && dtypes.length === 0;
}

/** How repositories call a family of quantizations. */
const METHODS: Readonly<Record<Quant["family"], RegExp>> = {
  plain: /^$/,
  awq: /awq/i,
  gptq: /gptq/i,
  bnb: /bitsandbytes|bnb/i,
  fp8: /fp8/i,
  int8: /int8/i,
  gguf: /gguf/i,
};

/** A server loads one file: which of several is not ours to say. */
function choiceObstacle(facts: ModelFacts): string | null {
  if (recipeOf(facts, null) !== "llamacpp" || facts.gguf.length < 2) return null;
  const has = facts.gguf.map(({ variant }) => variant).join(", ");
  return `\`${facts.repo}\` holds ${has}; say which with \`--quant\``;
}

/** Why a server would not take that many at once; null if it would. */
export function sequencesObstacle(recipe: Recipe, concurrency: number | null): string | null {
  if (recipe === "vllm" || (concurrency ?? 1) === 1) return null;
  return "llama.cpp answers one request after the other here; leave `--concurrency` out, or take weights that vLLM serves";
}

/**
 * Why a plan that fits would still not start, in words that name the way out; null if it would. Asking
 * for weights that a repository does not have is fine for an estimate. Of plain weights a server makes 4 bits
 * while it reads them; for 8 it may hold them whole first, which is more than was planned.
 */
export function weightsObstacle(facts: ModelFacts, quant: Quant | null): string | null {
  if (quant?.family === "gguf") {
    if (facts.gguf.some(({ variant }) => variant === quant.name)) return null;
    const has = facts.gguf.map(({ variant }) => variant).join(", ");
    const there = has === "" ? "no GGUF file" : `only ${has}`;
    return `\`${facts.repo}\` holds ${there}; name a repository with a ${quant.name} file`;
  }
  if (quant === null) return choiceObstacle(facts);
  if (isQuantized(facts)) {
    const own = facts.quant_method ?? "quantized";
    if (METHODS[quant.family].test(own)) return null;
    return `\`${facts.repo}\` holds ${own} weights, which cannot become ${quant.name}; leave \`--quant\` out or name another repository`;
  }
  if (quant.family === "plain" || quant.family === "bnb") return null;
  return `\`${facts.repo}\` does not hold ${quant.name} weights; name a repository that does`;
}
