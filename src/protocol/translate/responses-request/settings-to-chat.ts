import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { type Findings, isSet, plainWord } from "../findings.ts";

/** Members that chat knows by the same name. */
const SAME = [
  "model",
  "stream",
  "temperature",
  "top_p",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "prompt_cache_retention",
  "service_tier",
];

/** Members that are read elsewhere, or mean nothing to a router that stores nothing. */
const HANDLED = new Set([
  ...SAME,
  "input",
  "instructions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning",
  "text",
  "max_output_tokens",
  "top_logprobs",
  "include",
  "store",
  "stream_options",
  "client_metadata",
  "veriroute",
]);

/** Members whose usual value asks for nothing. */
const USUAL: Readonly<Record<string, unknown>> = { truncation: "disabled", background: false };

/** What needs a provider that keeps state, with what to do instead. */
const STATEFUL: Readonly<Record<string, string>> = {
  background:
    "`background` answers are fetched later by id, and the router keeps none; leave it out.",
  conversation: "`conversation` lives at one provider; send the whole conversation in `input`.",
  prompt: "`prompt` templates live at one provider; send their text in `instructions` and `input`.",
};

/** Everything of the body but its conversation and tools. */
export function settingsToChat(body: JsonObject, findings: Findings): JsonObject {
  refuseState(body, findings);
  reportRest(body, findings);
  const same = SAME.filter((name) => isSet(body[name])).map((name) => [name, body[name]]);
  const limit = body["max_output_tokens"];
  return {
    ...Object.fromEntries(same),
    ...(isSet(limit) && { max_tokens: limit }),
    ...reasoningMember(objectOf(body["reasoning"]), findings),
    ...textMembers(objectOf(body["text"])),
    ...logprobMembers(body, findings),
  };
}

function refuseState(body: JsonObject, findings: Findings): void {
  const previous = body["previous_response_id"];
  if (isSet(previous)) {
    const id = plainWord(previous, "…");
    findings.refuse({
      param: "previous_response_id",
      code: "previous_response_not_found",
      message:
        `Previous response with id '${id}' not found. ` +
        "The router keeps no responses: send the whole conversation in `input`.",
    });
  }
  for (const [param, message] of Object.entries(STATEFUL)) {
    if (isSet(body[param]) && body[param] !== USUAL[param]) findings.refuse({ param, message });
  }
}

function reportRest(body: JsonObject, findings: Findings): void {
  for (const [name, value] of Object.entries(body)) {
    const isRead = HANDLED.has(name) || Object.hasOwn(STATEFUL, name);
    if (isRead || name === "previous_response_id" || !isSet(value)) continue;
    const isEmpty = isObject(value) && Object.keys(value).length === 0;
    if (value !== USUAL[name] && !isEmpty) findings.lose(name);
  }
}

/** A summary is given wherever there is reasoning, so that only a wish for its length is lost. */
function reasoningMember(reasoning: JsonObject, findings: Findings): JsonObject {
  const { effort, summary, generate_summary: _, ...rest } = reasoning;
  if (isSet(summary) && summary !== "auto") findings.lose("reasoning.summary");
  for (const [name, value] of Object.entries(rest)) {
    if (isSet(value)) findings.lose(`reasoning.${name}`);
  }
  return isFilledText(effort) ? { reasoning_effort: effort } : {};
}

function textMembers({ format, verbosity }: JsonObject): JsonObject {
  const { type, ...schema } = objectOf(format);
  const shaped = type === "json_schema" || type === "json_object";
  const response_format = type === "json_schema" ? { type, json_schema: schema } : { type };
  return { ...(shaped && { response_format }), ...(isFilledText(verbosity) && { verbosity }) };
}

function logprobMembers(
  { include, top_logprobs: top }: JsonObject,
  findings: Findings,
): JsonObject {
  const wanted = arrayOf(include);
  for (const name of wanted) {
    if (name !== LOGPROBS && name !== "reasoning.encrypted_content") findings.lose("include");
  }
  const hasTop = typeof top === "number" && top > 0;
  if (!hasTop && !wanted.includes(LOGPROBS)) return {};
  return { logprobs: true, ...(hasTop && { top_logprobs: top }) };
}

const LOGPROBS = "message.output_text.logprobs";
