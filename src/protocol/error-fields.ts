import { type ErrorSource, errorText, locateError } from "./error-source.ts";
import { arrayOf, isObject, type JsonObject, objectOf, parseJson } from "./openai/fields.ts";

/** What an error object says, read from any vendor's spelling. */
export interface ErrorFields {
  /** False for a body that reads like an answer. */
  readonly is_error: boolean;
  readonly message: string | null;
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
  /** The HTTP status the body names, 400 to 599. */
  readonly status: number | null;
  /** Every structured word, most telling first, in lower case with `_` for spaces and dashes. */
  readonly codes: readonly string[];
  /** Names of exhausted quotas, such as Google's `…PerDay…`. */
  readonly quotas: readonly string[];
  readonly metadata: JsonObject | null;
  /** A wait named in a field of its own, as written. */
  readonly wait: string | number | null;
  /** The error of the vendor behind an aggregator. */
  readonly inner: ErrorFields | null;
}

export const NO_ERROR: ErrorFields = {
  is_error: false,
  message: null,
  code: null,
  type: null,
  param: null,
  status: null,
  codes: [],
  quotas: [],
  metadata: null,
  wait: null,
  inner: null,
};

const MAX_MESSAGE = 2000;
const MAX_WORD = 128;
/** Envelopes within envelopes; more is somebody's game. */
const MAX_DEPTH = 3;

/** The error of a parsed body. */
export function errorIn(root: unknown, depth = 0): ErrorFields {
  const body = Array.isArray(root) ? root.find(isObject) : root;
  if (!isObject(body)) return NO_ERROR;
  const source = locateError(body);
  if (source === null) return NO_ERROR;
  return fieldsOf({ ...source, root: body, depth });
}

interface Found extends ErrorSource {
  readonly root: JsonObject;
  readonly depth: number;
}

function fieldsOf({ error, text, root, depth }: Found): ErrorFields {
  const metadata = isObject(error["metadata"]) ? error["metadata"] : null;
  const availability = objectOf(error["availability"]);
  const details = arrayOf(error["details"]).map(objectOf);
  const code = wordOf(error["code"]) ?? wordOf(root["code"]);
  const type = wordOf(error["type"]) ?? wordOf(root["type"]);
  return {
    is_error: true,
    message: messageOf(text),
    code,
    type,
    param: wordOf(error["param"]),
    status: statusOf(error, root),
    codes: codesOf({ error, root, metadata, availability, details, text }),
    quotas: quotasOf(details),
    metadata,
    wait: waitOf({ error, metadata, availability, details }),
    inner: depth < MAX_DEPTH ? innerOf(metadata, text, depth) : null,
  };
}

/** Text of any shape: FastAPI lists, Mistral's `message: {detail: […]}`; never `[object Object]`. */
function messageOf(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return value.slice(0, MAX_MESSAGE).trim() || null;
  if (value === null || value === undefined || depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return messageOf(value[0], depth + 1);
  if (!isObject(value)) return JSON.stringify(value) ?? null;
  const text = messageOf(errorText(value), depth + 1);
  const place = arrayOf(value["loc"]).filter((part) => typeof part !== "object");
  if (text !== null && place.length > 0) return `${place.join(".")}: ${text}`.slice(0, MAX_MESSAGE);
  return text;
}

function statusOf(error: JsonObject, root: JsonObject): number | null {
  const spelled = [
    error["code"],
    error["status"],
    error["status_code"],
    root["status"],
    root["code"],
  ];
  // one-api hides the true status of the vendor behind it in `param`.
  if (error["code"] === "bad_response_status_code") spelled.unshift(error["param"]);
  for (const value of spelled) {
    const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof status === "number" && status >= 400 && status <= 599) return status;
  }
  return null;
}

interface Parts {
  readonly error: JsonObject;
  readonly metadata: JsonObject | null;
  readonly availability: JsonObject;
  readonly details: readonly JsonObject[];
}

function codesOf(parts: Parts & { readonly root: JsonObject; readonly text: unknown }): string[] {
  const { error, root, metadata, availability, details, text } = parts;
  const spelled = [
    objectOf(error["details"])["error_code"],
    objectOf(error["innererror"])["code"],
    ...details.map((detail) => detail["reason"]),
    metadata?.["limit_source"],
    availability["code"],
    error["code"],
    root["code"],
    metadata?.["error_type"],
    metadata?.["provider_code"],
    // FastAPI names the fault of a field in the list itself.
    objectOf(arrayOf(isObject(text) ? text["detail"] : text)[0])["type"],
    error["status"],
    error["type"],
    root["type"],
  ];
  if (metadata?.["flagged_input"] !== undefined || arrayOf(metadata?.["reasons"]).length > 0) {
    spelled.unshift("flagged_input");
  }
  return [...new Set(spelled.map(codeWord).filter((word) => word !== null))];
}

/** `permission-denied`, `RESOURCE_EXHAUSTED` and `Throttling:http://…` in one spelling. */
export function codeWord(value: unknown): string | null {
  const word = wordOf(value)?.split(":", 1)[0]?.split("#").at(-1)?.trim() ?? "";
  return word === "" ? null : word.toLowerCase().replaceAll(/[\s-]+/g, "_");
}

function wordOf(value: unknown): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_WORD) : null;
}

function quotasOf(details: readonly JsonObject[]): string[] {
  const ids = details.flatMap((detail) => [
    ...arrayOf(detail["violations"]).map((violation) => objectOf(violation)["quotaId"]),
    objectOf(detail["metadata"])["quota_limit"],
  ]);
  return ids.map(wordOf).filter((id) => id !== null);
}

function waitOf({ error, metadata, availability, details }: Parts): string | number | null {
  const spelled = [
    details.map((detail) => detail["retryDelay"]).find((delay) => delay !== undefined),
    availability["retry_after"],
    metadata?.["retry_after"],
    metadata?.["retry_after_seconds"],
    error["retry_after"],
  ];
  const wait = spelled.find((value) => typeof value === "string" || typeof value === "number");
  return typeof wait === "string" || typeof wait === "number" ? wait : null;
}

/** An aggregator repeats its vendor's answer in `metadata.raw`; plain relays put it into the message. */
function innerOf(metadata: JsonObject | null, text: unknown, depth: number): ErrorFields | null {
  const raw = metadata?.["raw"];
  const quoted = errorIn(typeof raw === "string" ? jsonWithin(raw) : raw, depth + 1);
  if (quoted.is_error) return quoted;
  if (typeof raw === "string" && raw !== "") {
    return { ...NO_ERROR, is_error: true, message: messageOf(raw) };
  }
  const relayed = typeof text === "string" ? jsonWithin(text) : undefined;
  // A bare object in a message may be a piece of the prompt; a wrapped one is an envelope.
  if (!isObject(relayed) || relayed["error"] === undefined) return null;
  const inner = errorIn(relayed, depth + 1);
  return inner.is_error ? inner : null;
}

/** The JSON that a text holds, with whatever words the relay put around it. */
function jsonWithin(text: string): unknown {
  const start = text.indexOf("{");
  return start === -1 ? undefined : parseJson(text.slice(start, text.lastIndexOf("}") + 1));
}
