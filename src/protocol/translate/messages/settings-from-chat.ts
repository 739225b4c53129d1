import type { ClaudeFacts } from "../../anthropic/request/claude-facts.ts";
import { arrayOf, isFilledText, isVisible, type JsonObject } from "../../openai/fields.ts";
import { loseMalformed } from "../chat-forms.ts";
import { type Findings, isGiven } from "../findings.ts";

/** Members that are read elsewhere or mean nothing for Messages. */
const READ = new Set([
  "model",
  "messages",
  "tools",
  "functions",
  "tool_choice",
  "function_call",
  "parallel_tool_calls",
  "response_format",
  "reasoning_effort",
  "reasoning",
  "thinking",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "stream",
  // Usage is always sent.
  "stream_options",
  "user",
  "safety_identifier",
  "service_tier",
  "cache_control",
  "n",
  "logprobs",
  "top_logprobs",
  "audio",
  "modalities",
  "web_search_options",
  "veriroute",
]);

/** Members that say the same under the same or another name. */
export function settingsFromChat(body: JsonObject, findings: Findings): JsonObject {
  refuseImpossible(body, findings);
  loseMalformed(body, findings);
  for (const [name, value] of Object.entries(body)) {
    if (isGiven(value) && !READ.has(name)) findings.lose(name);
  }
  return {
    ...(typeof body["stream"] === "boolean" && { stream: body["stream"] }),
    ...stopFromChat(body["stop"], findings),
    ...userFromChat(body),
    ...tierFromChat(body["service_tier"], findings),
    ...(isGiven(body["cache_control"]) && { cache_control: body["cache_control"] }),
  };
}

function refuseImpossible(body: JsonObject, findings: Findings): void {
  const { n, logprobs, top_logprobs, audio, modalities, web_search_options } = body;
  const refuse = (param: string, message: string) => findings.refuse({ param, message });
  if (isGiven(n) && n !== 1) refuse("n", "Claude models give one answer; leave `n` out.");
  if (logprobs === true || (isGiven(top_logprobs) && top_logprobs !== 0)) {
    const param = logprobs === true ? "logprobs" : "top_logprobs";
    refuse(param, `Claude models give no token probabilities; leave \`${param}\` out.`);
  }
  if (isGiven(audio) || arrayOf(modalities).includes("audio")) {
    const param = isGiven(audio) ? "audio" : "modalities";
    refuse(param, `Claude models do not speak; leave \`${param}\` out.`);
  }
  if (isGiven(web_search_options)) {
    refuse("web_search_options", "The search runs on another vendor's servers; leave it out.");
  }
}

function stopFromChat(stop: unknown, findings: Findings): JsonObject {
  const asked = typeof stop === "string" ? [stop] : arrayOf(stop);
  const stop_sequences = asked.filter((text) => typeof text === "string" && text.trim() !== "");
  if (stop_sequences.length < asked.length) findings.lose("stop");
  return stop_sequences.length === 0 ? {} : { stop_sequences };
}

/** The API takes no longer one. */
const MAX_USER = 256;

function userFromChat({ user, safety_identifier }: JsonObject): JsonObject {
  const user_id = [safety_identifier, user].find(isVisible);
  if (!isFilledText(user_id)) return {};
  return { metadata: { user_id: user_id.slice(0, MAX_USER) } };
}

function tierFromChat(tier: unknown, findings: Findings): JsonObject {
  if (tier === "auto") return { service_tier: tier };
  if (isGiven(tier)) findings.lose("service_tier");
  return {};
}

/** `temperature`, `top_p` and `top_k`, within what the model takes. */
export function samplingFromChat(
  body: JsonObject,
  { sampling, thinks }: { readonly sampling: ClaudeFacts["sampling"]; readonly thinks: boolean },
  findings: Findings,
): JsonObject {
  const asked = Object.entries(body).filter(
    ([name, value]) => SAMPLING.has(name) && isGiven(value),
  );
  const given = asked.filter(([, value]) => typeof value === "number");
  for (const [name, value] of asked) if (typeof value !== "number") findings.lose(name);
  if (!sampling || thinks) {
    for (const [name] of given) findings.lose(name);
    return {};
  }
  const values: Record<string, unknown> = Object.fromEntries(given);
  const { temperature } = values;
  if (typeof temperature === "number" && temperature > 1) {
    values["temperature"] = 1;
    findings.lose("temperature");
  }
  // Several models refuse both at once.
  if (temperature === undefined || values["top_p"] === undefined) return values;
  findings.lose("top_p");
  const { top_p: _, ...others } = values;
  return others;
}

const SAMPLING = new Set(["temperature", "top_p", "top_k"]);
