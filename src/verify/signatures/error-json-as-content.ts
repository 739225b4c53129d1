import { isObject, type JsonObject, parseJson } from "../../protocol/openai/fields.ts";
import { beginsWithLetter } from "../text/unit-kinds.ts";
import { fault } from "../verdict.ts";
import type { Output, Signature } from "./signature.ts";

const START = /^\s*(?:\[\s*)?\{\s*"(?:error|detail|object"\s*:\s*"error|type"\s*:\s*"error)"/;

/** Members that stand beside an error. Any other makes it an answer that reports one. */
const BESIDE = new Set(
  `error errors detail details message msg reason status statuscode status_code code type object param
  request_id requestid user_id id event_id trace_id timestamp path success title instance model provider
  metadata retry_after docs_url doc_url documentation_url`.split(/\s+/),
);

export const errorJsonAsContent: Signature = {
  name: "error_json_as_content",
  verdict: "malformed",
  confidence: "high",
  scope: "provider",
  trips: true,
  rule: "The whole output is a JSON error of an API: an object with `error` or `detail` and their company.",
  spares: "Prompts about JSON or APIs; clients that asked for JSON; objects with an empty `error`.",
  isEarly: true,
  needsWhole: false,
  judge(output) {
    const { text, request, prompt } = output;
    if (request.format !== null || beginsWithLetter(text.head)) return null;
    if (!START.test(text.head) || prompt.asksFor("json") || !isError(output)) return null;
    return fault("malformed", "provider");
  },
};

function isError({ stage, text }: Output): boolean {
  if (stage === "start") return true;
  const value = parseJson(text.whole ?? "");
  const body: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return isObject(body) && isFilled(body) && Object.keys(body).every(isBeside);
}

const isBeside = (key: string) => BESIDE.has(key.toLowerCase());

function isFilled({ error, detail, object, type }: JsonObject): boolean {
  return Boolean(error) || Boolean(detail) || object === "error" || type === "error";
}
