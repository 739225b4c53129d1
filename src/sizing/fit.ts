import { arithmetic, cautions } from "./arithmetic.ts";
import {
  dtypeOn,
  obstacleOn,
  type Recipe,
  recipeOf,
  sequencesObstacle,
  weightsObstacle,
} from "./compatibility.ts";
import { type Gpu, type Rate, type Sku, USD_PER_CU } from "./gpus.ts";
import { kvCache } from "./kv-cache.ts";
import type { ModelFacts } from "./model-facts.ts";
import { kvBytes, type Need, OVERHEAD_BYTES, requiredBytes } from "./need.ts";
import { GIB, grouped, shownGib } from "./numbers.ts";
import { type ParamCount, paramCount } from "./param-count.ts";
import type { Quant } from "./quant.ts";
import { weightsOf } from "./weights.ts";

/** Share of the device's memory that the server may take; it is handed to it, never left to its default. */
const GPU_MEMORY_UTILIZATION = 0.9;

/** Left free of that share. */
const HEADROOM = 0.15;

export const DEFAULT_CONTEXT = 8192;
const FLOOR_CONTEXT = 4096;
const CONTEXTS = [131_072, 65_536, 32_768, 16_384, 8192, FLOOR_CONTEXT] as const;

export interface FitRequest {
  readonly facts: ModelFacts;
  /** Null: the weights as the repository has them. */
  readonly quant: Quant | null;
  /** Tokens wanted; fewer where the model has no more, or no GPU holds them. */
  readonly context: number;
  /** Sequences of full context at once; null: nobody said, so one, beside which shorter ones may have room. */
  readonly concurrency: number | null;
  /** Cheapest first. */
  readonly gpus: readonly Gpu[];
}

/** A server that fits, with all that starting it needs. */
export interface Plan {
  readonly sku: Sku;
  readonly recipe: Recipe;
  readonly dtype: "auto" | "half";
  readonly gpu_memory_utilization: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly quant: string | null;
  readonly context: number;
  /** How many requests the server takes at once; null: as many as it likes. */
  readonly concurrency: number | null;
  readonly weights_gib: number;
  readonly kv_gib: number;
  readonly overhead_gib: number;
  readonly required_gib: number;
  /** What the fit was compared against: far below what is on the sticker. */
  readonly budget_gib: number;
  readonly rate: Rate;
  /** Null where the rate is unknown. */
  readonly usd_per_hour: number | null;
}

export interface Fit {
  /** Null: nothing fits. */
  readonly plan: Plan | null;
  /** Every step of the arithmetic, and a verdict on every GPU that was looked at. */
  readonly notes: readonly string[];
  /** What the wanted context takes, on whatever GPU. */
  readonly required_bytes: number;
  /** Why no money may be spent on the plan as it stands. */
  readonly obstacles: readonly string[];
}

/** Whether, where and with how much context the model fits. Starts nothing and asks nobody. */
export function fit(request: FitRequest): Fit {
  const { facts, quant } = request;
  const params = paramCount(facts);
  const context = Math.min(request.context, facts.architecture.max_context ?? Infinity);
  const need: Need = {
    weights: weightsOf(facts, quant),
    kv: kvCache(facts.architecture, params.count),
    sequences: request.concurrency ?? 1,
  };
  const notes = [...facts.notes, ...cautions(params, need), ...arithmetic(request, need, context)];
  const obstacles = obstaclesOf(request, params);
  const required_bytes = requiredBytes(need, context);
  for (const gpu of request.gpus) {
    const found = fitOn(gpu, { request, need, context });
    notes.push(found.note);
    if (found.plan === null) continue;
    if (gpu.remark !== null) notes.push(`${gpu.sku}: ${gpu.remark}`);
    return { plan: found.plan, notes, required_bytes, obstacles };
  }
  return { plan: null, notes, required_bytes, obstacles };
}

function obstaclesOf({ facts, quant, concurrency }: FitRequest, params: ParamCount): string[] {
  const known = params.basis === "guess" ? `nothing says how large \`${facts.repo}\` is` : null;
  const weights = weightsObstacle(facts, quant);
  const sequences = sequencesObstacle(recipeOf(facts, quant), concurrency);
  return [known, weights, sequences].filter((obstacle) => obstacle !== null);
}

/** What of a GPU's memory a server may plan with. */
export function budgetBytes({ usable_mib }: Gpu): number {
  return usable_mib * 1024 ** 2 * GPU_MEMORY_UTILIZATION * (1 - HEADROOM);
}

interface Attempt {
  readonly request: FitRequest;
  readonly need: Need;
  readonly context: number;
}

/** Shrinks the context before a larger GPU is looked at. */
function fitOn(
  gpu: Gpu,
  { request, need, context }: Attempt,
): { readonly plan: Plan | null; readonly note: string } {
  const obstacle = obstacleOn(gpu, request.facts, request.quant);
  if (obstacle !== null) return { plan: null, note: `${gpu.sku}: ${obstacle}, skipping` };
  const budget = budgetBytes(gpu);
  const contexts = [context, ...CONTEXTS.filter((smaller) => smaller < context)];
  const held = contexts.find((tokens) => requiredBytes(need, tokens) <= budget);
  if (held === undefined) {
    const needed = shownGib(requiredBytes(need, context));
    return {
      plan: null,
      note: `${gpu.sku}: ${shownGib(budget)} usable — needs ${needed}, skipping`,
    };
  }
  const instead = held === context ? "" : ` instead of ${grouped(context)}`;
  const kv = shownGib(kvBytes(need, held));
  const device = (gpu.usable_mib / 1024).toFixed(1);
  return {
    plan: planOn(gpu, { request, need, context: held }),
    note: `${gpu.sku}: ${device} × ${GPU_MEMORY_UTILIZATION} × ${1 - HEADROOM} = ${shownGib(budget)} usable — fits at ${grouped(held)}${instead} (KV ${kv})`,
  };
}

function planOn(gpu: Gpu, { request, need, context }: Attempt): Plan {
  const { facts, quant } = request;
  const recipe = recipeOf(facts, quant);
  const { cu_h } = gpu.rate;
  return {
    sku: gpu.sku,
    recipe,
    dtype: dtypeOn(gpu, recipe),
    gpu_memory_utilization: GPU_MEMORY_UTILIZATION,
    environment: gpu.environment,
    quant: quant?.name ?? null,
    context,
    concurrency: request.concurrency,
    weights_gib: need.weights.bytes / GIB,
    kv_gib: kvBytes(need, context) / GIB,
    overhead_gib: OVERHEAD_BYTES / GIB,
    required_gib: requiredBytes(need, context) / GIB,
    budget_gib: budgetBytes(gpu) / GIB,
    rate: gpu.rate,
    usd_per_hour: cu_h === null ? null : cu_h * USD_PER_CU,
  };
}
