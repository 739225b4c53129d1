import type { ClaudeFacts } from "../../anthropic/request/claude-facts.ts";
import { isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { Findings } from "../findings.ts";
import { fitSchema } from "./fit-schema.ts";

export interface ClaudeFormat {
  /** For `output_config.format`; null where the model has none or none is asked for. */
  readonly format: JsonObject | null;
  /** What is said in words instead. */
  readonly instruction: string | null;
}

const NO_FORMAT: ClaudeFormat = { format: null, instruction: null };
const JSON_ONLY =
  "Answer with one JSON object and nothing else: no explanation, no code fence around it.";

/** What a chat body asks of the answer's form. */
export function formatFromChat(
  body: JsonObject,
  facts: ClaudeFacts,
  findings: Findings,
): ClaudeFormat {
  const { type, json_schema } = objectOf(body["response_format"]);
  if (type === "json_object") {
    findings.lose("response_format");
    return { format: null, instruction: JSON_ONLY };
  }
  const { schema } = objectOf(json_schema);
  if (type !== "json_schema" || !isObject(schema)) return NO_FORMAT;
  const fitted = facts.json_schema ? fitSchema(schema) : null;
  if (!fitted) {
    findings.lose("response_format");
    return {
      format: null,
      instruction: `${JSON_ONLY} It fits this schema: ${JSON.stringify(schema)}`,
    };
  }
  for (const name of fitted.lost) findings.lose(`response_format.${name}`);
  return { format: { type, schema: fitted.schema }, instruction: null };
}
