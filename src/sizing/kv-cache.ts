import type { Architecture } from "./model-facts.ts";
import { grouped, shownParams } from "./numbers.ts";

export interface KvCache {
  /** Exact where the architecture is known, else on the safe side of what such models take. */
  readonly bytes_per_token: number;
  readonly note: string;
  /** What the note's figure leaves open; null where it was worked out from the architecture. */
  readonly caution: string | null;
}

/** Keys and values stay at 16 bits, under 4-bit weights too. */
const KV_BYTES = 2;

/** By model type, what a `config.json` may leave out and the library fills in; 256 is not hidden ÷ heads. */
const TYPE_DEFAULTS: Readonly<Record<string, Partial<Architecture>>> = {
  gemma: { head_dim: 256 },
  gemma2: { head_dim: 256, heads: 8, kv_heads: 4 },
  gemma3_text: { head_dim: 256, heads: 8, kv_heads: 4 },
  qwen3: { head_dim: 128 },
  qwen3_moe: { head_dim: 128 },
};

/** Where not even the model type is known: the largest in use. */
const LARGEST_HEAD = 256;

/** What a token of context takes; `params` only serves where the architecture is not known. */
export function kvCache(given: Architecture, params: number): KvCache {
  const architecture = withDefaults(given);
  const { layers, latent } = architecture;
  if (layers !== null && latent !== null) {
    const width = latent.kv_lora_rank + latent.qk_rope_head_dim;
    return exact(
      layers * width * KV_BYTES,
      `${layers} layers × (${latent.kv_lora_rank} + ${latent.qk_rope_head_dim}) × ${KV_BYTES} B`,
    );
  }
  const kvHeads = architecture.kv_heads ?? architecture.heads;
  const headDim = headDimension(architecture);
  if (layers === null || kvHeads === null || headDim === null) return fallback(params);
  return exact(
    2 * layers * kvHeads * headDim * KV_BYTES,
    `2 × ${layers} layers × ${kvHeads} KV heads × ${headDim} × ${KV_BYTES} B`,
  );
}

/** What the cache takes for `context` tokens where local layers keep only their window; null without such. */
export function windowedKvBytes(given: Architecture, kv: KvCache, context: number): number | null {
  const { layers, local } = given;
  if (kv.caution !== null || layers === null || local === null) return null;
  const perLayer = kv.bytes_per_token / layers;
  const globalLayers = Math.max(layers - local.layers, 0);
  return perLayer * (globalLayers * context + local.layers * Math.min(context, local.window));
}

function withDefaults(given: Architecture): Architecture {
  const type = given.model_types.find((name) => Object.hasOwn(TYPE_DEFAULTS, name));
  const defaults = type === undefined ? {} : (TYPE_DEFAULTS[type] ?? {});
  return {
    ...given,
    heads: given.heads ?? defaults.heads ?? null,
    // Heads that are given without their KV heads are the case that the library does not fill in.
    kv_heads: given.kv_heads ?? (given.heads === null ? (defaults.kv_heads ?? null) : null),
    head_dim: given.head_dim ?? defaults.head_dim ?? null,
  };
}

function headDimension({ head_dim, hidden, heads, model_types }: Architecture): number | null {
  if (head_dim !== null) return head_dim;
  const even = hidden === null || heads === null ? null : Math.ceil(hidden / heads);
  if (model_types.length > 0) return even;
  return Math.max(even ?? 0, LARGEST_HEAD);
}

function exact(bytes_per_token: number, how: string): KvCache {
  const note = `${how} = ${grouped(bytes_per_token)} B a token`;
  return { bytes_per_token, note, caution: null };
}

/**
 * KiB a token per billion parameters: what 95 of 100 models with grouped KV heads stay below, by size. The
 * flat 8 that is often used is too little for 151 of 210 known models.
 */
const FALLBACKS = [
  { below: 1e9, kib: 192 },
  { below: 2e9, kib: 67 },
  { below: 5e9, kib: 41 },
  { below: 10e9, kib: 37 },
  { below: 20e9, kib: 33 },
  { below: 40e9, kib: 19 },
  { below: Infinity, kib: 8 },
] as const;

function fallback(params: number): KvCache {
  const kib = FALLBACKS.find(({ below }) => params < below)?.kib ?? 8;
  const bytes_per_token = (params / 1e9) * kib * 1024;
  const note = `${shownParams(params)} × ${kib} KiB a token per billion parameters = ${grouped(bytes_per_token)} B a token`;
  return { bytes_per_token, note, caution: CAUTION };
}

const CAUTION =
  "its architecture is not known: the KV cache is that of models of its size with grouped KV heads; one without, as before 2023, takes more";
