import { askedByMessages } from "../../anthropic/request/thinking-asked.ts";
import { isVisible, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { Findings } from "../findings.ts";

/** From which budget on an effort is meant, largest first. Nothing above `high`: not every model has it. */
const RUNGS = [
  { from: 16_384, effort: "high" },
  { from: 8192, effort: "medium" },
  { from: 2048, effort: "low" },
] as const;

/** `reasoning_effort` for what a Messages body says of thinking; empty if it says nothing of how much. */
export function effortToChat(body: JsonObject, findings: Findings): JsonObject {
  const { mode, effort, budget_tokens, given } = askedByMessages(body);
  for (const name of Object.keys(given)) {
    if (name !== "type" && name !== "budget_tokens") findings.lose(`thinking.${name}`);
  }
  if (mode === "off") return { reasoning_effort: "none" };
  if (effort !== null) return { reasoning_effort: effort };
  if (budget_tokens !== null) {
    const rung = RUNGS.find(({ from }) => from <= budget_tokens);
    return { reasoning_effort: rung?.effort ?? "minimal" };
  }
  // Chat has no word for a model that decides itself; most do so where nothing is said.
  if (mode === "on") findings.lose("thinking");
  return {};
}

/** `response_format` for `output_config.format`, and for `output_format`, which it was called before. */
export function formatToChat(body: JsonObject): JsonObject {
  const format = objectOf(objectOf(body["output_config"])["format"] ?? body["output_format"]);
  const { type, schema, name } = format;
  if (type !== "json_schema") return {};
  const strict = isStrict(schema) && { strict: true };
  const json_schema = { name: isVisible(name) ? name : "answer", schema, ...strict };
  return { response_format: { type, json_schema } };
}

/** Whether OpenAI's strict mode takes the schema: every object closed, with all it has required. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict);
  if (typeof schema !== "object" || schema === null) return true;
  const { type, properties, required, additionalProperties } = objectOf(schema);
  if (type === "object" || properties !== undefined) {
    const names = Object.keys(objectOf(properties));
    const wanted = new Set(Array.isArray(required) ? required : []);
    if (additionalProperties !== false || !names.every((name) => wanted.has(name))) return false;
  }
  return Object.values(schema).every(isStrict);
}
