/** Members that shape no answer: they are left out even where the client chose the target itself. */
const HINTS: ReadonlySet<string> = new Set([
  "metadata",
  "moderation",
  "prediction",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "safety_identifier",
  "service_tier",
  "session_id",
  "store",
  "trace",
  "usage",
  "user",
  "cache_control",
]);

/** Members without which the answer would not be what the client can read: another target is asked. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  "audio",
  "function_call",
  "functions",
  "logprobs",
  "modalities",
  "n",
  "response_format",
  "tools",
  "top_logprobs",
]);

/** What says the same as nothing at all. */
const NEUTRAL: ReadonlyMap<string, readonly string[]> = new Map([
  ["n", ["1"]],
  ["logprobs", ["false"]],
  ["top_logprobs", ["0"]],
  ["logit_bias", ["{}"]],
  ["frequency_penalty", ["0"]],
  ["presence_penalty", ["0"]],
  ["repetition_penalty", ["1"]],
  ["stop", ["[]"]],
  ["temperature", ["1"]],
  ["top_p", ["1"]],
  ["min_p", ["0"]],
  ["top_k", ["0", "-1"]],
  ["tool_choice", ['"auto"']],
  ["functions", ["[]"]],
  ["function_call", ['"auto"', '"none"']],
  ["parallel_tool_calls", ["true"]],
  ["response_format", ['{"type":"text"}']],
  ["modalities", ['["text"]']],
  ["service_tier", ['"auto"', '"default"']],
  ["store", ["false"]],
  ["reasoning", ["{}"]],
  ["extra_body", ["{}"]],
]);

export function isHint(name: string): boolean {
  return HINTS.has(name);
}

export function isEssential(name: string): boolean {
  return ESSENTIAL.has(name);
}

export function isNeutral(name: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return NEUTRAL.get(name)?.includes(JSON.stringify(value)) ?? false;
}
