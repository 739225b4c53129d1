import { expect, test } from "bun:test";

import { NAME, RESERVED_NAMES } from "../../../src/address/spec.ts";
import type { AuthStyle } from "../../../src/catalog/provider-type.ts";
import { PROVIDER_TYPES, providerType } from "../../../src/catalog/provider-types.ts";

const CHAT = "/chat/completions";

interface Row {
  id: string;
  /** Full URL of the chat endpoint. */
  chat: string | null;
  env: string[];
  auth?: AuthStyle;
  headers?: Record<string, string>;
}

const ROWS: Row[] = [
  { id: "openai", chat: `https://api.openai.com/v1${CHAT}`, env: ["OPENAI_API_KEY"] },
  {
    id: "anthropic",
    chat: "https://api.anthropic.com/v1/messages",
    env: ["ANTHROPIC_API_KEY"],
    auth: "x-api-key",
    headers: { "anthropic-version": "2023-06-01" },
  },
  {
    id: "gemini",
    chat: `https://generativelanguage.googleapis.com/v1beta/openai${CHAT}`,
    env: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  },
  { id: "xai", chat: `https://api.x.ai/v1${CHAT}`, env: ["XAI_API_KEY"] },
  { id: "deepseek", chat: `https://api.deepseek.com${CHAT}`, env: ["DEEPSEEK_API_KEY"] },
  { id: "mistral", chat: `https://api.mistral.ai/v1${CHAT}`, env: ["MISTRAL_API_KEY"] },
  { id: "perplexity", chat: `https://api.perplexity.ai${CHAT}`, env: ["PERPLEXITY_API_KEY"] },
  {
    id: "cohere",
    chat: `https://api.cohere.ai/compatibility/v1${CHAT}`,
    env: ["COHERE_API_KEY"],
  },
  { id: "zai", chat: `https://api.z.ai/api/paas/v4${CHAT}`, env: ["ZHIPU_API_KEY", "ZAI_API_KEY"] },
  { id: "moonshot", chat: `https://api.moonshot.ai/v1${CHAT}`, env: ["MOONSHOT_API_KEY"] },
  { id: "kimi-for-coding", chat: `https://api.kimi.com/coding/v1${CHAT}`, env: ["KIMI_API_KEY"] },
  {
    id: "alibaba",
    chat: `https://dashscope-intl.aliyuncs.com/compatible-mode/v1${CHAT}`,
    env: ["DASHSCOPE_API_KEY"],
  },
  { id: "minimax", chat: `https://api.minimax.io/v1${CHAT}`, env: ["MINIMAX_API_KEY"] },
  { id: "openrouter", chat: `https://openrouter.ai/api/v1${CHAT}`, env: ["OPENROUTER_API_KEY"] },
  { id: "groq", chat: `https://api.groq.com/openai/v1${CHAT}`, env: ["GROQ_API_KEY"] },
  { id: "together", chat: `https://api.together.xyz/v1${CHAT}`, env: ["TOGETHER_API_KEY"] },
  {
    id: "fireworks",
    chat: `https://api.fireworks.ai/inference/v1${CHAT}`,
    env: ["FIREWORKS_API_KEY"],
  },
  { id: "cerebras", chat: `https://api.cerebras.ai/v1${CHAT}`, env: ["CEREBRAS_API_KEY"] },
  { id: "nvidia", chat: `https://integrate.api.nvidia.com/v1${CHAT}`, env: ["NVIDIA_API_KEY"] },
  { id: "neuralwatt", chat: `https://api.neuralwatt.com/v1${CHAT}`, env: ["NEURALWATT_API_KEY"] },
  {
    id: "deepinfra",
    chat: `https://api.deepinfra.com/v1/openai${CHAT}`,
    env: ["DEEPINFRA_API_KEY"],
  },
  { id: "huggingface", chat: `https://router.huggingface.co/v1${CHAT}`, env: ["HF_TOKEN"] },
  { id: "baseten", chat: `https://inference.baseten.co/v1${CHAT}`, env: ["BASETEN_API_KEY"] },
  {
    id: "nebius",
    chat: `https://api.tokenfactory.nebius.com/v1${CHAT}`,
    env: ["NEBIUS_API_KEY"],
  },
  { id: "novita", chat: `https://api.novita.ai/openai${CHAT}`, env: ["NOVITA_API_KEY"] },
  {
    id: "siliconflow",
    chat: `https://api.siliconflow.com/v1${CHAT}`,
    env: ["SILICONFLOW_API_KEY"],
  },
  { id: "chutes", chat: `https://llm.chutes.ai/v1${CHAT}`, env: ["CHUTES_API_KEY"] },
  { id: "github-models", chat: `https://models.github.ai/inference${CHAT}`, env: ["GITHUB_TOKEN"] },
  { id: "vercel", chat: `https://ai-gateway.vercel.sh/v1${CHAT}`, env: ["AI_GATEWAY_API_KEY"] },
  { id: "opencode", chat: `https://opencode.ai/zen/v1${CHAT}`, env: ["OPENCODE_API_KEY"] },
  { id: "poe", chat: `https://api.poe.com/v1${CHAT}`, env: ["POE_API_KEY"] },
  { id: "venice", chat: `https://api.venice.ai/api/v1${CHAT}`, env: ["VENICE_API_KEY"] },
  {
    id: "synthetic",
    chat: `https://api.synthetic.new/openai/v1${CHAT}`,
    env: ["SYNTHETIC_API_KEY"],
  },
  { id: "ollama-cloud", chat: `https://ollama.com/v1${CHAT}`, env: ["OLLAMA_API_KEY"] },
  { id: "ollama", chat: `http://127.0.0.1:11434/v1${CHAT}`, env: [] },
  { id: "vllm", chat: `http://127.0.0.1:8000/v1${CHAT}`, env: ["VLLM_API_KEY"] },
  { id: "lmstudio", chat: `http://127.0.0.1:1234/v1${CHAT}`, env: ["LMSTUDIO_API_KEY"] },
  { id: "llamacpp", chat: `http://127.0.0.1:8080/v1${CHAT}`, env: ["LLAMA_API_KEY"] },
  { id: "openai-compatible", chat: null, env: [] },
  { id: "sim", chat: `http://sim.invalid/v1${CHAT}`, env: [], auth: "none" },
];

test.each(ROWS)("$id is reached where, and with what, its vendor documents", (row) => {
  const type = providerType(row.id);

  expect({
    id: type?.id,
    chat:
      type?.base_url == null ? null : `${type.base_url}${type.paths.chat ?? type.paths.messages}`,
    env: type?.env,
    auth: type?.auth,
    headers: type?.headers,
  }).toEqual({ auth: "bearer", headers: {}, ...row, env: row.env });
});

test("the table names every type, once", () => {
  const ids = PROVIDER_TYPES.map(({ id }) => id);

  expect(ids.toSorted()).toEqual(ROWS.map(({ id }) => id).toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(34);
});

test.each(PROVIDER_TYPES)("$id can be written in a spec and its URLs joined", (type) => {
  expect(type.id).toMatch(NAME);
  expect(RESERVED_NAMES.has(type.id)).toBe(false);
  expect(type.id).toBe(type.id.toLowerCase());
  expect(type.base_url ?? "http://x").not.toEndWith("/");
  expect(URL.canParse(type.base_url ?? "http://x")).toBe(true);
  for (const path of Object.values(type.paths)) expect(path ?? "/").toStartWith("/");
  for (const header of type.client_headers) expect(header).toBe(header.toLowerCase());
});

test("no environment variable is claimed by two types, so none is sent to a stranger", () => {
  const variables = PROVIDER_TYPES.flatMap(({ env, base_url_env }) => [
    ...env,
    base_url_env ?? [],
  ]).flat();

  expect(new Set(variables).size).toBe(variables.length);
});

test.each<{ what: string; ids: string[]; has: (type: (typeof PROVIDER_TYPES)[number]) => boolean }>(
  [
    { what: "no stream_options", ids: ["mistral", "cohere"], has: (t) => !t.quirks.stream_options },
    {
      what: "no encoding_format",
      ids: ["gemini", "mistral", "cohere"],
      has: (t) => !t.quirks.encoding_format,
    },
    { what: "a prefix on listed ids", ids: ["gemini"], has: (t) => t.quirks.model_prefix !== "" },
    { what: "no listing", ids: ["perplexity", "cohere"], has: (t) => t.paths.models === null },
    { what: "no chat", ids: ["anthropic"], has: (t) => t.paths.chat === null },
    {
      what: "messages",
      ids: ["anthropic", "xai", "openrouter", "vllm", "lmstudio", "llamacpp"],
      has: (t) => t.paths.messages !== null,
    },
    {
      what: "responses",
      ids: ["openai", "xai", "openrouter", "vllm", "lmstudio", "llamacpp"],
      has: (t) => t.paths.responses !== null,
    },
    {
      what: "a usual local port",
      ids: ["ollama", "vllm", "lmstudio", "llamacpp"],
      has: (t) => t.local_port !== null,
    },
    { what: "a variable that moves it", ids: ["ollama"], has: (t) => t.base_url_env !== null },
  ],
)("exactly $ids have $what", ({ ids, has }) => {
  expect(PROVIDER_TYPES.filter(has).map(({ id }) => id)).toEqual(ids);
});

test("Anthropic is spoken to in its own dialect only", () => {
  expect(providerType("Anthropic")).toMatchObject({
    auth: "x-api-key",
    paths: {
      chat: null,
      completions: null,
      embeddings: null,
      messages: "/messages",
      responses: null,
      models: "/models",
    },
  });
});

test("the listing of GitHub Models stands beside its base URL", () => {
  const type = providerType("github-models");

  expect(new URL(`${type?.base_url}${type?.paths.models}`).href).toBe(
    "https://models.github.ai/catalog/models",
  );
});

test("a name that is no type finds none", () => {
  expect(["", "azure", "__proto__", "toString"].map(providerType)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
