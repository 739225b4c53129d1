import { withBundledFacts } from "../../../src/sizing/bundled-models.ts";
import { estimate, type EstimateRequest } from "../../../src/sizing/estimate.ts";
import { fit, type FitRequest } from "../../../src/sizing/fit.ts";
import { GPUS, gpusByCost } from "../../../src/sizing/gpus.ts";
import { type ModelFacts, unknownModel } from "../../../src/sizing/model-facts.ts";
import { type Quant, readQuant } from "../../../src/sizing/quant.ts";

export const QWEN_SMALL = "Qwen/Qwen2.5-1.5B-Instruct";
export const QWEN_7B = "Qwen/Qwen2.5-7B-Instruct";
export const QWEN_MOE = "Qwen/Qwen3-30B-A3B";
export const LLAMA_70B = "meta-llama/Llama-3.3-70B-Instruct";
export const GEMMA = "google/gemma-3-4b-it";
export const VERIFIED = [QWEN_SMALL, QWEN_7B, QWEN_MOE, LLAMA_70B, GEMMA] as const;

/** What the Hub would say of a model in the bundled table: all of it in bfloat16. */
export function knownModel(repo: string): ModelFacts {
  const facts = withBundledFacts(unknownModel(repo));
  const { params } = facts;
  if (params === null) throw new Error(`${repo} is not in the bundled table`);
  return { ...facts, tensors: { BF16: params } };
}

export function quantOf(word: string | null): Quant | null {
  if (word === null) return null;
  const quant = readQuant(word);
  if ("unknown" in quant) throw new Error(`${word} is no quantization`);
  return quant;
}

export function fitOf(facts: ModelFacts, more: Partial<FitRequest> = {}) {
  const request = { facts, quant: null, context: 8192, concurrency: 1, gpus: gpusByCost({}, "") };
  return fit({ ...request, ...more });
}

export function estimateOf(facts: ModelFacts, more: Partial<EstimateRequest> = {}) {
  const request = { facts, quant: null, context: 8192, concurrency: 1, gpu: null };
  return estimate({ ...request, rates: {}, today: "2026-11-30", ...more });
}

export function gpu(sku: string) {
  const found = GPUS.find((candidate) => candidate.sku === sku);
  if (found === undefined) throw new Error(`no GPU ${sku}`);
  return found;
}
