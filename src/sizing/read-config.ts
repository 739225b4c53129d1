import type { Architecture } from "./model-facts.ts";

export interface ConfigFacts {
  readonly architecture: Architecture;
  readonly quant_method: string | null;
  readonly remote_code: boolean;
}

type Table = Readonly<Record<string, unknown>>;

/** Where multimodal models keep what their text part is like. */
const TEXT_PARTS = ["text_config", "llm_config", "language_config"] as const;

/** What a repository's `config.json` says, whatever else is in it; null if it is no object. */
export function readModelConfig(value: unknown): ConfigFacts | null {
  if (!isTable(value)) return null;
  const part = TEXT_PARTS.map((key) => value[key]).find((inner) => isTable(inner));
  // What the text part leaves out is not read from the top: there it may be the vision part's.
  const text = part ?? value;
  const architecture: Architecture = {
    model_types: [value["model_type"], text["model_type"]].filter(isDistinctText),
    layers: count(text, "num_hidden_layers", "n_layer", "num_layers"),
    hidden: count(text, "hidden_size", "n_embd", "d_model"),
    heads: count(text, "num_attention_heads", "n_head"),
    kv_heads: count(text, "num_key_value_heads"),
    head_dim: count(text, "head_dim"),
    vocab: count(text, "vocab_size", "padded_vocab_size"),
    tied: flag(text["tie_word_embeddings"] ?? value["tie_word_embeddings"]),
    max_context: smallest(text, CONTEXT_KEYS),
    local: null,
    latent: latentOf(text),
  };
  return {
    architecture: { ...architecture, local: localLayers(text, architecture.layers) },
    quant_method: quantMethod(value) ?? quantMethod(text),
    remote_code: isTable(value["auto_map"]),
  };
}

/** The method of a `quantization_config`; one that names none is quantized all the same. */
export function quantMethod({ quantization_config: config }: Table): string | null {
  if (!isTable(config)) return null;
  const method = config["quant_method"];
  return typeof method === "string" && method !== "" ? method : "quantized";
}

function latentOf(text: Table): Architecture["latent"] {
  const [kv_lora_rank, qk_rope_head_dim] = [
    count(text, "kv_lora_rank"),
    count(text, "qk_rope_head_dim"),
  ];
  return kv_lora_rank === null || qk_rope_head_dim === null
    ? null
    : { kv_lora_rank, qk_rope_head_dim };
}

/** Every how many layers one sees the whole context, where the config leaves it to the model type. */
const GLOBAL_EVERY: Readonly<Record<string, number>> = { gemma2: 2, gemma3_text: 6 };

function localLayers(text: Table, layers: number | null): Architecture["local"] {
  const window = count(text, "sliding_window");
  if (window === null || layers === null || text["use_sliding_window"] === false) return null;
  const types = text["layer_types"];
  if (Array.isArray(types)) {
    return { window, layers: types.filter((type) => type === "sliding_attention").length };
  }
  const type = text["model_type"];
  const every =
    count(text, "sliding_window_pattern") ??
    (typeof type === "string" ? (GLOBAL_EVERY[type] ?? null) : null);
  if (every !== null) return { window, layers: layers - Math.floor(layers / every) };
  return type === "mistral" ? { window, layers } : null;
}

/** How model types call their context. A server goes by the smallest, and does not start with more. */
const CONTEXT_KEYS = [
  "max_position_embeddings",
  "n_positions",
  "max_seq_len",
  "max_seq_length",
  "max_sequence_length",
  "model_max_length",
  "seq_length",
  "seq_len",
] as const;

function smallest(table: Table, keys: readonly string[]): number | null {
  const found = keys.map((key) => table[key]).filter((value) => isCount(value));
  return found.length === 0 ? null : Math.min(...found);
}

/** The first of the keys that holds a positive whole number. */
function count(table: Table, ...keys: readonly string[]): number | null {
  const found = keys.map((key) => table[key]).find((value) => isCount(value));
  return isCount(found) ? found : null;
}

/** Beyond this a number is damage, and arithmetic with it would be too. */
const MAX_COUNT = 1e9;

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) > 0 && Number(value) <= MAX_COUNT;
}

function flag(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

function isDistinctText(value: unknown, index: number, all: readonly unknown[]): value is string {
  return typeof value === "string" && value !== "" && all.indexOf(value) === index;
}

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
