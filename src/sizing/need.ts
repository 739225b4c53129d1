import type { KvCache } from "./kv-cache.ts";
import { GIB } from "./numbers.ts";
import type { Weights } from "./weights.ts";

/** Activations, CUDA graphs and context, fragmentation. */
export const OVERHEAD_BYTES = 2.5 * GIB;

/** What a model takes, whatever the GPU. */
export interface Need {
  readonly weights: Weights;
  readonly kv: KvCache;
  readonly sequences: number;
}

export function requiredBytes(need: Need, context: number): number {
  return need.weights.bytes + kvBytes(need, context) + OVERHEAD_BYTES;
}

export function kvBytes({ kv, sequences }: Need, context: number): number {
  return kv.bytes_per_token * context * sequences;
}
