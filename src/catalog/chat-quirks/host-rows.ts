import { IGNORED, type QuirkRow, REFUSED, renamed, TOOL_CHOICE } from "./quirk-row.ts";
import { OPENAI_MEMBERS } from "./vocabulary.ts";

const GROQ_DOCS = "Groq's page on OpenAI compatibility and its 400 answers";
const CEREBRAS_DOCS = "Cerebras' API reference and its 400 answers";
const OLLAMA_DOCS = "Ollama's page on OpenAI compatibility";

const GROQ_LACKS: ReadonlySet<string> = new Set([
  "moderation",
  "prediction",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
  "store",
]);

const EFFORTS = ["minimal", "low", "medium", "high", "xhigh", "max"];

/** Without a list of their own these take what is not known to be refused, but not the newest role. */
const PLAIN_HOSTS: readonly string[] = [
  "baseten",
  "chutes",
  "deepinfra",
  "fireworks",
  "huggingface",
  "llamacpp",
  "lmstudio",
  "nebius",
  "neuralwatt",
  "novita",
  "nvidia",
  "opencode",
  "poe",
  "siliconflow",
  "synthetic",
  "together",
  "venice",
  "vllm",
];

/** Aggregators, hosts of open models and servers on one's own machine. */
export const HOST_ROWS: readonly QuirkRow[] = [
  {
    types: PLAIN_HOSTS,
    source: "the servers' pages on OpenAI compatibility",
    messages: { system_role: true, thinking_parts: false },
  },
  {
    types: ["openrouter", "github-models", "vercel"],
    source: "the gateways' API references",
    messages: { thinking_parts: false },
  },
  {
    types: ["groq"],
    source: GROQ_DOCS,
    takes: [
      ...OPENAI_MEMBERS.filter((name) => !GROQ_LACKS.has(name)),
      "include_reasoning",
      "reasoning_format",
    ],
    members: {
      ...TOOL_CHOICE,
      logit_bias: REFUSED,
      logprobs: REFUSED,
      n: { kind: "only", value: 1 },
      top_logprobs: REFUSED,
    },
    messages: { system_role: true, reasoning: "reasoning", thinking_parts: false },
    message_takes: ["function_call", "reasoning"],
  },
  {
    types: ["groq"],
    models: /llama|gemma|kimi-k2|mistral|compound/,
    source: "Groq's page on reasoning",
    effort: { takes: [] },
  },
  {
    types: ["groq"],
    models: /gpt-oss/,
    source: "Groq's page on reasoning",
    effort: { takes: ["low", "medium", "high"] },
  },
  {
    types: ["groq"],
    models: /qwen3/,
    source: "Groq's page on reasoning",
    effort: {
      takes: ["none", "default"],
      words: new Map(EFFORTS.map((word) => [word, "default"])),
    },
  },
  {
    types: ["cerebras"],
    source: CEREBRAS_DOCS,
    takes: [...OPENAI_MEMBERS, "clear_thinking", "reasoning_format"],
    members: {
      ...TOOL_CHOICE,
      frequency_penalty: REFUSED,
      logit_bias: REFUSED,
      max_tokens: renamed("max_completion_tokens"),
      presence_penalty: REFUSED,
    },
    messages: { system_role: true, reasoning: "reasoning", thinking_parts: false },
    message_takes: ["function_call", "name", "reasoning"],
  },
  {
    types: ["fireworks"],
    source: "Fireworks' API reference",
    effort: { takes: ["low", "medium", "high"], off: { thinking: { type: "disabled" } } },
    messages: { reasoning: "reasoning_content" },
  },
  {
    types: ["together"],
    source: "Together's API reference",
    effort: {
      takes: EFFORTS,
      off: { reasoning: { enabled: false } },
    },
  },
  {
    types: ["ollama", "ollama-cloud"],
    source: OLLAMA_DOCS,
    members: {
      keep_alive: IGNORED,
      logit_bias: IGNORED,
      max_completion_tokens: renamed("max_tokens"),
      // It answers with one choice, whatever is asked for.
      n: { kind: "only", value: 1 },
      num_ctx: IGNORED,
      options: IGNORED,
      tool_choice: IGNORED,
    },
    effort: { takes: ["none", "low", "medium", "high"] },
    messages: {
      system_role: true,
      reasoning: "reasoning",
      thinking_parts: false,
      images: "inline",
    },
  },
  {
    types: ["lmstudio"],
    source: "LM Studio's page on OpenAI compatibility",
    members: { max_completion_tokens: renamed("max_tokens") },
  },
];
