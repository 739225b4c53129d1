import { jsonBreak } from "../protocol/json/position.ts";
import { isObject, type JsonObject } from "../protocol/openai/fields.ts";
import type { Bytes } from "./client-body.ts";
import type { Refusal } from "./refusal.ts";

export type ObjectResult =
  | { readonly kind: "object"; readonly parsed: JsonObject; readonly bytes: Bytes }
  | { readonly kind: "refused"; readonly refusal: Refusal };

const utf8 = new TextDecoder("utf-8", { fatal: true });
const BOM = [0xef, 0xbb, 0xbf];

/** The body as one JSON object, with its bytes less a leading BOM. Refusals never quote the body. */
export function parseObject(bytes: Bytes): ObjectResult {
  if (bytes.length === 0) return refused("The request has no body; send a JSON object.");
  const text = decode(bytes);
  if (text === undefined) return refused("The body is not valid UTF-8.");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    const { line, column } = jsonBreak(text);
    return refused(`The body is not valid JSON: it breaks at line ${line}, column ${column}.`);
  }
  if (!isObject(parsed)) return refused("The body must be a JSON object.");
  const hasBom = bytes[0] === BOM[0] && BOM.every((byte, index) => bytes[index] === byte);
  return { kind: "object", parsed, bytes: hasBom ? bytes.subarray(BOM.length) : bytes };
}

function decode(bytes: Bytes): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function refused(message: string): ObjectResult {
  return { kind: "refused", refusal: { code: "invalid_json", message } };
}
