import { describeType } from "./describe-type.ts";
import type { ProviderType } from "./provider-type.ts";

/** Aggregators and hosts of open models: one credential, many vendors' models. */
export const HOST_TYPES: readonly ProviderType[] = [
  describeType(
    { id: "openrouter", name: "OpenRouter", base_url: "https://openrouter.ai/api/v1" },
    {
      env: ["OPENROUTER_API_KEY"],
      paths: { messages: "/messages", responses: "/responses" },
      default_model: "openrouter/auto",
      client_headers: ["http-referer", "x-title", "x-openrouter-title", "x-openrouter-metadata"],
    },
  ),
  describeType(
    { id: "groq", name: "Groq", base_url: "https://api.groq.com/openai/v1" },
    { env: ["GROQ_API_KEY"], paths: { completions: null, embeddings: null } },
  ),
  describeType(
    { id: "together", name: "Together", base_url: "https://api.together.xyz/v1" },
    { env: ["TOGETHER_API_KEY"] },
  ),
  describeType(
    { id: "fireworks", name: "Fireworks", base_url: "https://api.fireworks.ai/inference/v1" },
    { env: ["FIREWORKS_API_KEY"] },
  ),
  describeType(
    { id: "cerebras", name: "Cerebras", base_url: "https://api.cerebras.ai/v1" },
    { env: ["CEREBRAS_API_KEY"], paths: { embeddings: null } },
  ),
  describeType(
    { id: "nvidia", name: "NVIDIA", base_url: "https://integrate.api.nvidia.com/v1" },
    { env: ["NVIDIA_API_KEY"] },
  ),
  describeType(
    { id: "neuralwatt", name: "NeuralWatt", base_url: "https://api.neuralwatt.com/v1" },
    { env: ["NEURALWATT_API_KEY"] },
  ),
  describeType(
    { id: "deepinfra", name: "DeepInfra", base_url: "https://api.deepinfra.com/v1/openai" },
    { env: ["DEEPINFRA_API_KEY"] },
  ),
  describeType(
    { id: "huggingface", name: "Hugging Face", base_url: "https://router.huggingface.co/v1" },
    { env: ["HF_TOKEN"], paths: { completions: null, embeddings: null } },
  ),
  describeType(
    { id: "baseten", name: "Baseten", base_url: "https://inference.baseten.co/v1" },
    { env: ["BASETEN_API_KEY"] },
  ),
  describeType(
    {
      id: "nebius",
      name: "Nebius Token Factory",
      base_url: "https://api.tokenfactory.nebius.com/v1",
    },
    { env: ["NEBIUS_API_KEY"] },
  ),
  describeType(
    { id: "novita", name: "Novita", base_url: "https://api.novita.ai/openai" },
    { env: ["NOVITA_API_KEY"] },
  ),
  describeType(
    { id: "siliconflow", name: "SiliconFlow", base_url: "https://api.siliconflow.com/v1" },
    { env: ["SILICONFLOW_API_KEY"] },
  ),
  describeType(
    { id: "chutes", name: "Chutes", base_url: "https://llm.chutes.ai/v1" },
    { env: ["CHUTES_API_KEY"] },
  ),
  describeType(
    { id: "github-models", name: "GitHub Models", base_url: "https://models.github.ai/inference" },
    {
      env: ["GITHUB_TOKEN"],
      // The catalogue stands beside the base URL, not below it.
      paths: { completions: null, models: "/../catalog/models" },
    },
  ),
  describeType(
    { id: "vercel", name: "Vercel AI Gateway", base_url: "https://ai-gateway.vercel.sh/v1" },
    { env: ["AI_GATEWAY_API_KEY"] },
  ),
  describeType(
    { id: "opencode", name: "OpenCode Zen", base_url: "https://opencode.ai/zen/v1" },
    { env: ["OPENCODE_API_KEY"], paths: { completions: null, embeddings: null } },
  ),
  describeType(
    { id: "poe", name: "Poe", base_url: "https://api.poe.com/v1" },
    { env: ["POE_API_KEY"], paths: { completions: null, embeddings: null } },
  ),
  describeType(
    { id: "venice", name: "Venice", base_url: "https://api.venice.ai/api/v1" },
    { env: ["VENICE_API_KEY"] },
  ),
  describeType(
    { id: "synthetic", name: "Synthetic", base_url: "https://api.synthetic.new/openai/v1" },
    { env: ["SYNTHETIC_API_KEY"] },
  ),
  describeType(
    { id: "ollama-cloud", name: "Ollama Cloud", base_url: "https://ollama.com/v1" },
    { env: ["OLLAMA_API_KEY"], paths: { embeddings: null } },
  ),
];
