import { arrayOf, isObject, type JsonObject, objectOf } from "./openai/fields.ts";
import { isErrorFinish } from "./openai/finish-reason.ts";

export interface ErrorSource {
  /** The object that holds code, type and so on. */
  readonly error: JsonObject;
  readonly text: unknown;
}

/** Where the error sits: wrapped, in a choice, in a failed response, or spread over the top level. */
export function locateError(root: JsonObject): ErrorSource | null {
  const choice = arrayOf(root["choices"]).map(objectOf)[0];
  const failed = objectOf(root["response"]);
  for (const wrapped of [
    root["error"],
    arrayOf(root["errors"])[0],
    choice?.["error"],
    failed["error"],
  ]) {
    const error = Array.isArray(wrapped) ? wrapped[0] : wrapped;
    if (isObject(error) && Object.keys(error).length > 0) return { error, text: errorText(error) };
    if (typeof error === "string" && error.trim() !== "") return { error: root, text: error };
  }
  const failure = failedBase(root);
  if (failure !== null) return failure;
  if (isErrorFinish(choice?.["finish_reason"])) return { error: {}, text: null };
  if (isFlatError(root)) return { error: root, text: errorText(root) };
  return null;
}

/** MiniMax answers 200 and says in `base_resp` what went wrong; zero is success. */
export function failedBase(root: JsonObject): ErrorSource | null {
  const { status_code: code, status_msg: message } = objectOf(root["base_resp"]);
  const isFailure = typeof code === "number" && code !== 0 && arrayOf(root["choices"]).length === 0;
  return isFailure ? { error: { code, message }, text: message } : null;
}

const ANSWER_MEMBERS = [
  "choices",
  "candidates",
  "output",
  "content",
  "embeddings",
  "embedding",
  "data",
];

/** Mistral, Cerebras, Cohere, NIM, FastAPI: the error is the whole body. */
function isFlatError(root: JsonObject): boolean {
  if (root["object"] === "error" || root["type"] === "error" || root["error"] === true) return true;
  if (ANSWER_MEMBERS.some((name) => root[name] !== undefined && root[name] !== null)) return false;
  const { message, detail, title, msg } = root;
  // Ollama's own chat answer carries `message: {role, content}`.
  if (isObject(message) && message["role"] !== undefined) return false;
  return [message, detail, title, msg].some((value) => value !== undefined && value !== null);
}

/** The member that holds the words, whatever the vendor calls it. */
export function errorText(error: JsonObject): unknown {
  const names = ["message", "msg", "detail", "description", "error_description", "title", "error"];
  const name = names.find(
    (key) => error[key] !== undefined && error[key] !== null && error[key] !== "",
  );
  return name === undefined ? null : error[name];
}
