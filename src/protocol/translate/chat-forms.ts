import { isFilledText, isObject, type JsonObject } from "../openai/fields.ts";
import { type Findings, isGiven } from "./findings.ts";

const isText = (value: unknown) => typeof value === "string";
const isFlag = (value: unknown) => typeof value === "boolean";
const isTyped = (value: unknown) => isObject(value) && isFilledText(value["type"]);

/** Members that translations of a chat body read in one form only. */
const FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  tools: Array.isArray,
  functions: Array.isArray,
  tool_choice: (value) => isText(value) || isTyped(value),
  function_call: (value) => isText(value) || isObject(value),
  parallel_tool_calls: isFlag,
  response_format: isTyped,
  reasoning_effort: isText,
  reasoning: isObject,
  stop: (value) => isText(value) || Array.isArray(value),
  user: isText,
  safety_identifier: isText,
};

/** A member of another form is passed over, and so is one that is lost. */
export function loseMalformed(body: JsonObject, findings: Findings): void {
  for (const [name, fits] of Object.entries(FORMS)) {
    if (isGiven(body[name]) && !fits(body[name])) findings.lose(name);
  }
}
