import type { Dialect } from "../dialect.ts";
import { isFilledText } from "./fields.ts";

/** Where a dialect has one parameter, and how it writes the value. */
export interface Spelling {
  readonly member: string;
  /** The member of that member, where it is an object with others of its own. */
  readonly inner: string | null;
  /** Undefined for a value that the dialect has no word for. */
  readonly value: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;

function as(member: string, value: Spelling["value"] = same): Spelling {
  return { member, inner: null, value };
}

function within(member: string, inner: string): Spelling {
  return { member, inner, value: same };
}

const asList = (value: unknown): unknown => (isFilledText(value) ? [value] : value);
const asCount = (value: unknown): unknown => (typeof value === "number" ? value : undefined);
const asAuto = (value: unknown): unknown => (value === "auto" ? value : undefined);

const asWritten = (names: readonly string[]): [string, Spelling][] =>
  names.map((name) => [name, as(name)]);

/** What each dialect has of the parameters that the router knows. */
export const SPELLED: Readonly<Record<Dialect, ReadonlyMap<string, Spelling>>> = {
  chat: new Map([["effort", as("reasoning_effort")]]),
  completions: new Map([
    ...asWritten(["frequency_penalty", "logit_bias", "max_tokens", "n", "presence_penalty"]),
    ...asWritten(["seed", "stop", "temperature", "top_p", "user"]),
    ["logprobs", as("logprobs", asCount)],
    ["max_completion_tokens", as("max_tokens")],
  ]),
  embeddings: new Map(asWritten(["user"])),
  messages: new Map([
    ...asWritten(["max_tokens", "temperature", "top_p"]),
    ["effort", within("output_config", "effort")],
    ["reasoning_effort", within("output_config", "effort")],
    ["max_completion_tokens", as("max_tokens")],
    ["stop", as("stop_sequences", asList)],
    ["user", within("metadata", "user_id")],
    ["service_tier", as("service_tier", asAuto)],
  ]),
  responses: new Map([
    ...asWritten(["metadata", "parallel_tool_calls", "service_tier", "store", "temperature"]),
    ...asWritten(["prompt_cache_key", "prompt_cache_retention", "safety_identifier", "user"]),
    ...asWritten(["top_logprobs", "top_p"]),
    ["effort", within("reasoning", "effort")],
    ["reasoning_effort", within("reasoning", "effort")],
    ["max_tokens", as("max_output_tokens")],
    ["max_completion_tokens", as("max_output_tokens")],
    ["verbosity", within("text", "verbosity")],
  ]),
};

/** What chat has, and another dialect only as its table says. */
const CHAT_MEMBERS = [
  "audio",
  "effort",
  "frequency_penalty",
  "function_call",
  "functions",
  "logit_bias",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "metadata",
  "modalities",
  "moderation",
  "n",
  "parallel_tool_calls",
  "prediction",
  "presence_penalty",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "reasoning_effort",
  "response_format",
  "safety_identifier",
  "seed",
  "service_tier",
  "stop",
  "store",
  "temperature",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "user",
  "verbosity",
  "web_search_options",
];

/** What vendors added to shape an answer, where there is none to shape. */
const ANSWERING = [
  "chat_template_kwargs",
  "clear_thinking",
  "enable_thinking",
  "grammar",
  "ignore_eos",
  "include_reasoning",
  "min_p",
  "min_tokens",
  "mirostat",
  "n_predict",
  "prompt_mode",
  "random_seed",
  "reasoning",
  "reasoning_format",
  "repetition_penalty",
  "safe_prompt",
  "structured_outputs",
  "thinking",
  "top_a",
  "top_k",
];

const OF_CHAT: ReadonlySet<string> = new Set(CHAT_MEMBERS);

/** Names that are not sent as written where the dialect's table lacks them. */
export const UNTOLD: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  chat: new Set(),
  completions: OF_CHAT,
  embeddings: new Set([...CHAT_MEMBERS, ...ANSWERING]),
  messages: OF_CHAT,
  responses: OF_CHAT,
};
