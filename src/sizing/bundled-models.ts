import { type Architecture, type ModelFacts, UNKNOWN_ARCHITECTURE } from "./model-facts.ts";

/** Dimensions: litgpt's config.py of 2026-06-29, which links every model's own `config.json`. */
const SOURCE = "litgpt, 2026-06-29";

interface BundledModel {
  /** Last parts of repository names, with the context of each. */
  readonly contexts: Readonly<Record<string, number>>;
  readonly params: number;
  readonly gated: boolean;
  readonly architecture: Partial<Architecture>;
}

/** Models that can be estimated with no network and no licence. */
const MODELS: readonly BundledModel[] = [
  {
    contexts: { "qwen2.5-1.5b": 131_072, "qwen2.5-1.5b-instruct": 32_768 },
    params: 1_543_714_304,
    gated: false,
    architecture: {
      model_types: ["qwen2"],
      layers: 28,
      hidden: 1536,
      heads: 12,
      kv_heads: 2,
      head_dim: 128,
      vocab: 151_936,
      tied: true,
    },
  },
  {
    contexts: { "qwen2.5-7b": 131_072, "qwen2.5-7b-instruct": 32_768 },
    params: 7_615_616_512,
    gated: false,
    architecture: {
      model_types: ["qwen2"],
      layers: 28,
      hidden: 3584,
      heads: 28,
      kv_heads: 4,
      head_dim: 128,
      vocab: 152_064,
      tied: false,
    },
  },
  {
    contexts: {
      "qwen3-30b-a3b": 40_960,
      "qwen3-30b-a3b-instruct-2507": 262_144,
      "qwen3-30b-a3b-thinking-2507": 262_144,
    },
    params: 30_532_122_624,
    gated: false,
    architecture: {
      model_types: ["qwen3_moe"],
      layers: 48,
      hidden: 2048,
      heads: 32,
      kv_heads: 4,
      head_dim: 128,
      vocab: 151_936,
      tied: false,
    },
  },
  {
    contexts: { "llama-3.3-70b-instruct": 131_072 },
    params: 70_553_706_496,
    gated: true,
    architecture: {
      model_types: ["llama"],
      layers: 80,
      hidden: 8192,
      heads: 64,
      kv_heads: 8,
      head_dim: 128,
      vocab: 128_256,
      tied: false,
    },
  },
  {
    contexts: { "gemma-3-4b-it": 131_072 },
    params: 4_300_079_472,
    gated: true,
    architecture: {
      model_types: ["gemma3", "gemma3_text"],
      layers: 34,
      hidden: 2560,
      heads: 8,
      kv_heads: 4,
      head_dim: 256,
      vocab: 262_208,
      tied: true,
      local: { layers: 29, window: 1024 },
    },
  },
];

/** `facts` with what the bundled table knows of the model, wherever they say nothing. */
export function withBundledFacts(facts: ModelFacts): ModelFacts {
  const name = facts.repo.split("/").at(-1)?.toLowerCase() ?? "";
  const model = MODELS.find(({ contexts }) => Object.hasOwn(contexts, name));
  if (model === undefined) return facts;
  const bundled: Architecture = {
    ...UNKNOWN_ARCHITECTURE,
    ...model.architecture,
    max_context: model.contexts[name] ?? null,
  };
  const isUsed = facts.architecture.layers === null || facts.tensors === null;
  return {
    ...facts,
    params: facts.params ?? model.params,
    gated: facts.gated || model.gated,
    architecture: fillArchitecture(facts.architecture, bundled),
    notes: isUsed ? [...facts.notes, `dimensions from the bundled table (${SOURCE})`] : facts.notes,
  };
}

function fillArchitecture(known: Architecture, bundled: Architecture): Architecture {
  return {
    model_types: known.model_types.length > 0 ? known.model_types : bundled.model_types,
    layers: known.layers ?? bundled.layers,
    hidden: known.hidden ?? bundled.hidden,
    heads: known.heads ?? bundled.heads,
    kv_heads: known.kv_heads ?? bundled.kv_heads,
    head_dim: known.head_dim ?? bundled.head_dim,
    vocab: known.vocab ?? bundled.vocab,
    tied: known.tied ?? bundled.tied,
    max_context: known.max_context ?? bundled.max_context,
    local: known.local ?? bundled.local,
    latent: known.latent ?? bundled.latent,
  };
}
