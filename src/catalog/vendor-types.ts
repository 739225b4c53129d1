import { describeType } from "./describe-type.ts";
import type { ProviderType } from "./provider-type.ts";

/** Vendors that serve their own models. A path is null only where the vendor is known to lack it. */
export const VENDOR_TYPES: readonly ProviderType[] = [
  describeType(
    { id: "openai", name: "OpenAI", base_url: "https://api.openai.com/v1" },
    {
      env: ["OPENAI_API_KEY"],
      paths: { responses: "/responses" },
      default_model: "gpt-5.4",
      client_headers: ["openai-organization", "openai-project", "openai-beta"],
    },
  ),
  describeType(
    { id: "anthropic", name: "Anthropic", base_url: "https://api.anthropic.com/v1" },
    {
      env: ["ANTHROPIC_API_KEY"],
      auth: "x-api-key",
      headers: { "anthropic-version": "2023-06-01" },
      // Its OpenAI-compatible path is for trying things out, by its own words.
      paths: { chat: null, completions: null, embeddings: null, messages: "/messages" },
      default_model: "claude-sonnet-5-5",
      client_headers: ["anthropic-beta", "anthropic-version"],
    },
  ),
  describeType(
    {
      id: "gemini",
      name: "Google Gemini",
      base_url: "https://generativelanguage.googleapis.com/v1beta/openai",
    },
    {
      env: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
      paths: { completions: null },
      quirks: { encoding_format: false, model_prefix: "models/" },
      default_model: "gemini-3.8-flash",
    },
  ),
  describeType(
    { id: "xai", name: "xAI", base_url: "https://api.x.ai/v1" },
    { env: ["XAI_API_KEY"], paths: { messages: "/messages", responses: "/responses" } },
  ),
  describeType(
    { id: "deepseek", name: "DeepSeek", base_url: "https://api.deepseek.com" },
    { env: ["DEEPSEEK_API_KEY"], paths: { completions: null, embeddings: null } },
  ),
  describeType(
    { id: "mistral", name: "Mistral", base_url: "https://api.mistral.ai/v1" },
    {
      env: ["MISTRAL_API_KEY"],
      paths: { completions: null },
      // It answers 422 to fields it does not know.
      quirks: { stream_options: false, encoding_format: false },
      default_model: "mistral-small-latest",
    },
  ),
  describeType(
    { id: "perplexity", name: "Perplexity", base_url: "https://api.perplexity.ai" },
    {
      env: ["PERPLEXITY_API_KEY"],
      paths: { completions: null, embeddings: null, models: null },
      default_model: "sonar",
    },
  ),
  describeType(
    { id: "cohere", name: "Cohere", base_url: "https://api.cohere.ai/compatibility/v1" },
    {
      env: ["COHERE_API_KEY"],
      paths: { completions: null, models: null },
      quirks: { stream_options: false, encoding_format: false },
    },
  ),
  describeType(
    { id: "zai", name: "Z.ai", base_url: "https://api.z.ai/api/paas/v4" },
    { env: ["ZHIPU_API_KEY", "ZAI_API_KEY"], paths: { completions: null } },
  ),
  describeType(
    { id: "moonshot", name: "Moonshot", base_url: "https://api.moonshot.ai/v1" },
    { env: ["MOONSHOT_API_KEY"], paths: { completions: null, embeddings: null } },
  ),
  describeType(
    { id: "kimi-for-coding", name: "Kimi for Coding", base_url: "https://api.kimi.com/coding/v1" },
    { env: ["KIMI_API_KEY"], paths: { completions: null, embeddings: null } },
  ),
  describeType(
    {
      id: "alibaba",
      name: "Alibaba Model Studio",
      base_url: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    },
    { env: ["DASHSCOPE_API_KEY"] },
  ),
  describeType(
    { id: "minimax", name: "MiniMax", base_url: "https://api.minimax.io/v1" },
    { env: ["MINIMAX_API_KEY"], paths: { completions: null, embeddings: null } },
  ),
];
