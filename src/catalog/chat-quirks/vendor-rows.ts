import { type QuirkRow, REFUSED, renamed } from "./quirk-row.ts";
import { OPENAI_MEMBERS } from "./vocabulary.ts";

const OPENAI_DOCS = "OpenAI's API reference";
const MISTRAL_DOCS = "Mistral's API reference and its 422 answers";
const GEMINI_DOCS = "Google's page on OpenAI compatibility";
const DEEPSEEK_DOCS = "DeepSeek's API reference";
const XAI_DOCS = "xAI's API reference";

/** Every effort passes but `none`, for which these vendors have a switch. */
const SWITCHED_OFF = {
  takes: ["minimal", "low", "medium", "high", "xhigh", "max"],
  off: { thinking: { type: "disabled" } },
} as const;
/** There is no such switch. */
const NEVER_OFF = { takes: ["minimal", "low", "medium", "high", "xhigh", "max"], off: {} } as const;

/** `any` is Mistral's word. */
const TOOL_CHOICE = {
  tool_choice: { kind: "words", words: new Map([["any", "required"]]) },
} as const;

export const VENDOR_ROWS: readonly QuirkRow[] = [
  {
    types: ["openai"],
    source: OPENAI_DOCS,
    takes: OPENAI_MEMBERS,
    members: TOOL_CHOICE,
    messages: { thinking_parts: false },
    message_takes: [
      "annotations",
      "audio",
      "function_call",
      "name",
      "prompt_cache_breakpoint",
      "refusal",
    ],
  },
  {
    types: ["openai"],
    models: /^(?:o\d|gpt-[5-9]|codex)/,
    source: `${OPENAI_DOCS}: reasoning models`,
    members: { max_tokens: renamed("max_completion_tokens") },
  },
  {
    types: ["openai"],
    models: /^o\d/,
    source: `${OPENAI_DOCS}: reasoning models`,
    members: {
      frequency_penalty: REFUSED,
      logit_bias: REFUSED,
      logprobs: REFUSED,
      presence_penalty: REFUSED,
      temperature: REFUSED,
      top_logprobs: REFUSED,
      top_p: REFUSED,
    },
    effort: { takes: ["low", "medium", "high"] },
  },
  {
    types: ["openai"],
    models: /^(?:gpt-[34]|chatgpt-4)/,
    source: `${OPENAI_DOCS}: models that do not reason`,
    effort: { takes: [] },
  },
  {
    types: ["mistral"],
    source: MISTRAL_DOCS,
    takes: [
      "frequency_penalty",
      "max_tokens",
      "metadata",
      "n",
      "parallel_tool_calls",
      "prediction",
      "presence_penalty",
      "prompt_mode",
      "random_seed",
      "reasoning_effort",
      "response_format",
      "safe_prompt",
      "stop",
      "temperature",
      "tool_choice",
      "tools",
      "top_p",
    ],
    members: {
      max_completion_tokens: renamed("max_tokens"),
      seed: renamed("random_seed"),
      tool_choice: { kind: "words", words: new Map([["required", "any"]]) },
    },
    effort: { takes: [] },
    messages: {
      system_role: true,
      call_ids: "nine",
      prefill: "prefix",
      ends_with_user: true,
    },
    message_takes: ["prefix"],
  },
  {
    types: ["mistral"],
    models: /^mistral-(?:small-(?:latest|26\d\d|[4-9])|medium-(?:latest|3-[5-9]|26\d\d))/,
    source: "Mistral's page on adjustable reasoning",
    effort: { takes: ["none", "high"] },
  },
  {
    types: ["gemini"],
    source: GEMINI_DOCS,
    takes: [
      "audio",
      "extra_body",
      "frequency_penalty",
      "logprobs",
      "max_completion_tokens",
      "max_tokens",
      "modalities",
      "n",
      "parallel_tool_calls",
      "presence_penalty",
      "reasoning_effort",
      "response_format",
      "seed",
      "service_tier",
      "stop",
      "temperature",
      "tool_choice",
      "tools",
      "top_logprobs",
      "top_p",
    ],
    // Both caps at once are an error.
    members: { ...TOOL_CHOICE, max_tokens: { kind: "yields", to: "max_completion_tokens" } },
    effort: { takes: ["none", "minimal", "low", "medium", "high"] },
    messages: { system_role: true, thinking_parts: false },
    message_takes: ["audio", "extra_content", "name"],
  },
  {
    types: ["gemini"],
    models: /gemini-(?:[3-9]|\d\d)/,
    source: "Google's page on thought signatures",
    messages: { signatures: true },
  },
  {
    types: ["xai"],
    models: /^grok-(?:3-mini|4(?!.*non-reasoning)|code)/,
    source: `${XAI_DOCS}: reasoning models`,
    members: { frequency_penalty: REFUSED, presence_penalty: REFUSED, stop: REFUSED },
  },
  {
    types: ["xai"],
    models: /^grok-(?:[23](?!-mini)|4(?:-0709|-fast|-latest)?(?![.\w])|code)/,
    source: `${XAI_DOCS}: models without effort`,
    effort: { takes: [] },
  },
  {
    types: ["xai"],
    models: /^grok-3-mini/,
    source: `${XAI_DOCS}: reasoning`,
    effort: { takes: ["low", "high"] },
  },
  {
    types: ["xai"],
    source: XAI_DOCS,
    members: TOOL_CHOICE,
    messages: { system_role: true, thinking_parts: false },
  },
  {
    types: ["deepseek"],
    source: DEEPSEEK_DOCS,
    members: {
      ...TOOL_CHOICE,
      max_completion_tokens: renamed("max_tokens"),
      response_format: { kind: "types", takes: ["text", "json_object"] },
    },
    effort: SWITCHED_OFF,
    messages: {
      system_role: true,
      reasoning: "reasoning_content",
      fills_reasoning: "when_thinking",
      thinking_parts: false,
      prefill: "prefix",
    },
  },
  {
    types: ["deepseek"],
    models: /v4|reasoner/,
    source: `${DEEPSEEK_DOCS}: thinking mode`,
    messages: { fills_reasoning: "unless_off" },
  },
  {
    types: ["moonshot", "kimi-for-coding"],
    source: "Moonshot's API reference",
    members: { ...TOOL_CHOICE, max_completion_tokens: renamed("max_tokens") },
    effort: SWITCHED_OFF,
    messages: {
      system_role: true,
      reasoning: "reasoning_content",
      thinking_parts: false,
      prefill: "partial",
    },
  },
  {
    types: ["moonshot", "kimi-for-coding"],
    models: /kimi-k3/,
    source: "Moonshot's API reference: Kimi K3",
    members: { thinking: REFUSED },
    effort: NEVER_OFF,
  },
  {
    types: ["moonshot", "kimi-for-coding"],
    models: /kimi-k2\.7/,
    source: "Moonshot's API reference: Kimi K2.7 always thinks",
    members: { thinking: { kind: "types", takes: ["enabled"] } },
    effort: NEVER_OFF,
  },
  {
    types: ["zai"],
    source: "Z.ai's API reference",
    members: { ...TOOL_CHOICE, max_completion_tokens: renamed("max_tokens") },
    effort: SWITCHED_OFF,
    messages: { system_role: true, reasoning: "reasoning_content", thinking_parts: false },
  },
  {
    types: ["alibaba", "minimax", "perplexity", "cohere"],
    source: "the vendors' pages on OpenAI compatibility",
    messages: { system_role: true, thinking_parts: false },
  },
];
