import { isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { loseMalformed } from "../chat-forms.ts";
import { type Findings, isSet } from "../findings.ts";

/** Members that the Responses API knows by the same name. */
const SAME = [
  "model",
  "stream",
  "temperature",
  "top_p",
  "metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "service_tier",
];

/** Members that are read elsewhere or belong to the router. */
const HANDLED = new Set([
  ...SAME,
  "messages",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "functions",
  "function_call",
  "max_tokens",
  "max_completion_tokens",
  "reasoning_effort",
  "reasoning",
  "response_format",
  "verbosity",
  "stream_options",
  "n",
  "logprobs",
  "top_logprobs",
  "store",
  "modalities",
  "audio",
  "veriroute",
]);

/** OpenAI refuses a lower cap. */
const SMALLEST_CAP = 16;

/** Everything of a chat body but its conversation and tools. */
export function settingsFromChat(body: JsonObject, findings: Findings): JsonObject {
  refuseForms(body, findings);
  loseMalformed(body, findings);
  for (const [name, value] of Object.entries(body)) {
    if (!HANDLED.has(name) && isSet(value)) findings.lose(name);
  }
  const same = SAME.filter((name) => isSet(body[name])).map((name) => [name, body[name]]);
  return {
    ...Object.fromEntries(same),
    ...capMember(body["max_completion_tokens"] ?? body["max_tokens"]),
    ...reasoningMember(body),
    ...textMember(body),
    // Chat keeps nothing unless asked; the Responses API keeps everything unless told not to.
    store: body["store"] === true,
  };
}

function refuseForms({ n, logprobs, audio, modalities }: JsonObject, findings: Findings): void {
  if (isSet(n) && n !== 1) {
    const message = "`n` must be 1 for this target; send the request several times instead.";
    findings.refuse({ param: "n", message });
  }
  if (logprobs === true) {
    const message = "`logprobs` cannot be had from this target; leave it out.";
    findings.refuse({ param: "logprobs", message });
  }
  const speaks = Array.isArray(modalities) && modalities.includes("audio");
  if (isSet(audio) || speaks) {
    const message = "Audio cannot be had from this target; leave `audio` out, or name another.";
    findings.refuse({ param: isSet(audio) ? "audio" : "modalities", message });
  }
}

function capMember(cap: unknown): JsonObject {
  if (!isSet(cap)) return {};
  return { max_output_tokens: typeof cap === "number" ? Math.max(cap, SMALLEST_CAP) : cap };
}

function reasoningMember({ reasoning_effort: effort, reasoning }: JsonObject): JsonObject {
  const { effort: other, summary } = objectOf(reasoning);
  const chosen = [effort, other].find(isFilledText);
  const members = {
    ...(chosen !== undefined && { effort: chosen }),
    ...(isFilledText(summary) && { summary }),
  };
  return Object.keys(members).length > 0 ? { reasoning: members } : {};
}

function textMember({ response_format: format, verbosity }: JsonObject): JsonObject {
  const { type, json_schema: schema } = objectOf(format);
  const shape = isObject(schema) ? { type, ...schema } : { type };
  const text = {
    ...(isFilledText(type) && type !== "text" && { format: shape }),
    ...(isFilledText(verbosity) && { verbosity }),
  };
  return Object.keys(text).length > 0 ? { text } : {};
}
