import { expect, test } from "bun:test";

import { assert, jsonValue, property } from "fast-check";

import { withBundledFacts } from "../../../src/sizing/bundled-models.ts";
import { kvCache } from "../../../src/sizing/kv-cache.ts";
import { unknownModel } from "../../../src/sizing/model-facts.ts";
import { readModelConfig } from "../../../src/sizing/read-config.ts";
import { readFiles } from "../../../src/sizing/read-files.ts";
import { readHubModel } from "../../../src/sizing/read-hub.ts";

// What google/gemma-3-4b-it publishes: most of it is left to the model type.
const GEMMA_CONFIG = {
  model_type: "gemma3",
  hidden_size: 99,
  text_config: {
    hidden_size: 2560,
    model_type: "gemma3_text",
    num_hidden_layers: 34,
    sliding_window: 1024,
  },
  vision_config: { hidden_size: 1152, num_hidden_layers: 27, num_attention_heads: 16 },
};

test("a multimodal model is read from its text part, with what its type implies", () => {
  const read = readModelConfig(GEMMA_CONFIG);

  expect(read?.architecture).toMatchObject({
    model_types: ["gemma3", "gemma3_text"],
    layers: 34,
    hidden: 2560,
    heads: null,
    local: { layers: 29, window: 1024 },
  });
  if (read) expect(kvCache(read.architecture, 4.3e9).bytes_per_token).toBe(139_264);
});

test("a head dimension that is written down beats hidden ÷ heads", () => {
  const config = {
    model_type: "qwen3_moe",
    num_hidden_layers: 48,
    hidden_size: 2048,
    num_attention_heads: 32,
    num_key_value_heads: 4,
    head_dim: 128,
  };
  const bytes = [config, { ...config, head_dim: undefined }].map((value) => {
    const read = readModelConfig(value);
    return read ? kvCache(read.architecture, 0).bytes_per_token : 0;
  });

  expect(bytes).toEqual([98_304, 98_304]);
});

test("compressed keys and values are counted by their rank", () => {
  const read = readModelConfig({
    model_type: "deepseek_v3",
    num_hidden_layers: 61,
    num_attention_heads: 128,
    num_key_value_heads: 128,
    hidden_size: 7168,
    kv_lora_rank: 512,
    qk_rope_head_dim: 64,
  });

  if (read) expect(kvCache(read.architecture, 0).bytes_per_token).toBe(61 * 576 * 2);
});

test.each<{ config: object; wants: object }>([
  { config: { quantization_config: { quant_method: "awq" } }, wants: { quant_method: "awq" } },
  { config: { quantization_config: { bits: 4 } }, wants: { quant_method: "quantized" } },
  { config: { auto_map: { AutoModel: "x.Y" } }, wants: { remote_code: true } },
  { config: {}, wants: { quant_method: null, remote_code: false } },
])("$config is read as $wants", ({ config, wants }) => {
  expect(readModelConfig(config)).toMatchObject(wants);
});

test.each([
  { files: ["model.safetensors:10", "pytorch_model.bin:10"], bytes: 10 },
  { files: ["model-1-of-2.safetensors:10", "model-2-of-2.safetensors:7"], bytes: 17 },
  { files: ["model.safetensors:10", "consolidated.safetensors:10"], bytes: 10 },
  { files: ["consolidated.00.safetensors:10"], bytes: 10 },
  { files: ["pytorch_model-1.bin:4", "pytorch_model-2.bin:4", "training_args.bin:1"], bytes: 8 },
  { files: ["original/model.safetensors:10", "README.md:1"], bytes: null },
  { files: ["model-1-of-2.safetensors:10", "model-2-of-2.safetensors:?"], bytes: null },
])("$files hold $bytes B of weights", ({ files, bytes }) => {
  expect(readFiles(files.map((text) => fileOf(text))).file_bytes).toBe(bytes);
});

test("GGUF files are told apart by their variant, and parts of one added up", () => {
  const files = [
    "thing-7b-Q4_K_M.gguf:4",
    "thing-7b.IQ4_XS.gguf:3",
    "q8_0/thing-7b-q8_0-00001-of-00002.gguf:5",
    "q8_0/thing-7b-q8_0-00002-of-00002.gguf:4",
    "thing-f16.gguf:15",
    "mmproj-thing-f16.gguf:1",
  ];

  expect(readFiles(files.map((text) => fileOf(text))).gguf).toEqual([
    { variant: "q4_k_m", bytes: 4 },
    { variant: "iq4_xs", bytes: 3 },
    { variant: "q8_0", bytes: 9 },
    { variant: "f16", bytes: 15 },
  ]);
});

function fileOf(text: string) {
  const [name = "", size = "?"] = text.split(":");
  return { name, bytes: size === "?" ? null : Number(size) };
}

test("the Hub's answer is read for weights, licence and revision", () => {
  const facts = readHubModel("org/thing", {
    sha: "0123456789abcdef0123456789abcdef01234567",
    gated: "manual",
    safetensors: { parameters: { BF16: 100, F32: 3 }, total: 103 },
    siblings: [{ rfilename: "model.safetensors", size: 250 }, { rfilename: 7 }, null],
    config: { model_type: "llama", quantization_config: { quant_method: "gptq" } },
  });

  expect(facts).toMatchObject({
    revision: "0123456789abcdef0123456789abcdef01234567",
    gated: true,
    tensors: { BF16: 100, F32: 3 },
    file_bytes: 250,
    quant_method: "gptq",
    architecture: { model_types: ["llama"] },
  });
});

test.each<{ parameters: unknown }>([
  { parameters: { BF16: 100, F32: "3" } },
  { parameters: { BF16: -1 } },
  { parameters: { BF16: 0 } },
  { parameters: {} },
  { parameters: [1] },
])("tensor counts such as $parameters are none: a part is no bound", ({ parameters }) => {
  expect(readHubModel("org/thing", { safetensors: { parameters } })?.tensors).toBeNull();
});

test("whatever the Hub or a file answers, reading it never throws", () => {
  assert(
    property(jsonValue(), jsonValue(), (value, inner) => {
      const shapes = [value, { text_config: inner, siblings: [inner], safetensors: inner }];
      for (const shape of shapes) {
        readModelConfig(shape);
        readHubModel("org/thing", shape);
      }
    }),
  );
  expect([readModelConfig([]), readHubModel("x", null)]).toEqual([null, null]);
});

test("the bundled table fills only what nobody said", () => {
  const hub = { ...unknownModel("google/gemma-3-4b-it"), tensors: { BF16: 5 } };
  const filled = withBundledFacts({
    ...hub,
    architecture: { ...hub.architecture, max_context: 1000 },
  });

  expect(filled).toMatchObject({
    tensors: { BF16: 5 },
    gated: true,
    architecture: { max_context: 1000, kv_heads: 4, head_dim: 256 },
  });
  expect(withBundledFacts(unknownModel("org/other"))).toEqual(unknownModel("org/other"));
});

test.each([
  { config: { max_position_embeddings: 4096 }, tokens: 4096 },
  { config: { max_seq_len: 2048 }, tokens: 2048 },
  { config: { max_position_embeddings: 131_072, model_max_length: 8192 }, tokens: 8192 },
  { config: { max_position_embeddings: "4096" }, tokens: null },
])("the context of $config is $tokens tokens", ({ config, tokens }) => {
  expect(readModelConfig(config)?.architecture.max_context).toBe(tokens);
});
