import type { Tensors } from "./tensors.ts";

/** The shape of a model as its `config.json` has it. Null: not known, which never makes it smaller. */
export interface Architecture {
  /** Of the whole model and of its text part, such as `gemma3` and `gemma3_text`; empty: unknown. */
  readonly model_types: readonly string[];
  readonly layers: number | null;
  readonly hidden: number | null;
  readonly heads: number | null;
  readonly kv_heads: number | null;
  readonly head_dim: number | null;
  readonly vocab: number | null;
  /** Whether input and output embeddings are one tensor. */
  readonly tied: boolean | null;
  /** Tokens. */
  readonly max_context: number | null;
  /** Layers that only look back `window` tokens. */
  readonly local: { readonly layers: number; readonly window: number } | null;
  /** Compressed keys and values, as in DeepSeek V2 and V3. */
  readonly latent: { readonly kv_lora_rank: number; readonly qk_rope_head_dim: number } | null;
}

/** One weights file of a GGUF repository; parts of a split one are added up. */
export interface GgufFile {
  /** Its quantization as its name has it, lower case, such as `q4_k_m`. */
  readonly variant: string;
  readonly bytes: number;
}

/** All that is known of a model without loading it. */
export interface ModelFacts {
  /** As the user wrote it. */
  readonly repo: string;
  readonly revision: string | null;
  /** Null, never empty, where they are not known. */
  readonly tensors: Tensors | null;
  /** Size of all weights files together. */
  readonly file_bytes: number | null;
  /** Parameters, where a table has them. */
  readonly params: number | null;
  readonly gguf: readonly GgufFile[];
  /** How the repository's own weights are quantized, such as `awq`; null: not at all, or unknown. */
  readonly quant_method: string | null;
  readonly architecture: Architecture;
  /** Whether a licence must be accepted first. */
  readonly gated: boolean;
  /** Whether the repository brings Python code of its own. */
  readonly remote_code: boolean;
  /** Where the facts are from, and what could not be had: sentences for the person who asked. */
  readonly notes: readonly string[];
}

export const UNKNOWN_ARCHITECTURE: Architecture = {
  model_types: [],
  layers: null,
  hidden: null,
  heads: null,
  kv_heads: null,
  head_dim: null,
  vocab: null,
  tied: null,
  max_context: null,
  local: null,
  latent: null,
};

export function unknownModel(repo: string): ModelFacts {
  return {
    repo,
    revision: null,
    tensors: null,
    file_bytes: null,
    params: null,
    gguf: [],
    quant_method: null,
    architecture: UNKNOWN_ARCHITECTURE,
    gated: false,
    remote_code: false,
    notes: [],
  };
}
