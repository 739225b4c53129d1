import { arrayOf, isObject, type JsonObject, objectOf } from "../../protocol/openai/fields.ts";

/** What the client asked the answer to be. */
export type AskedFormat =
  | { readonly kind: "json_object"; readonly schema: JsonObject | null }
  | { readonly kind: "json_schema"; readonly schema: JsonObject | null };

/** What of a request decides how its answer is judged. */
export interface RequestFacts {
  /** The client's own cap on output tokens; null if it set none. */
  readonly max_tokens: number | null;
  /** Names of the functions it declared. */
  readonly tools: readonly string[];
  readonly format: AskedFormat | null;
  /** The answer goes on with a text that the client began. */
  readonly is_prefilled: boolean;
  /** The last turn is a tool result, after which a model may rightly say nothing. */
  readonly is_after_tool_result: boolean;
  /** The endpoint declares that it writes its reasoning into the text. */
  readonly has_inline_reasoning: boolean;
  /** The model asked for, or the one asked, repeats what it is sent, such as `sim:echo`. */
  readonly asks_for_echo: boolean;
}

export const BARE_REQUEST: RequestFacts = {
  max_tokens: null,
  tools: [],
  format: null,
  is_prefilled: false,
  is_after_tool_result: false,
  has_inline_reasoning: false,
  asks_for_echo: false,
};

const CAPS = ["max_completion_tokens", "max_tokens", "max_output_tokens"];

const ECHO = /(?:^|[:/])echo(?:$|[?@:])/i;

/** Whether a model is one that repeats what it is sent, by the name that it goes by. */
export function isEchoModel(model: unknown): boolean {
  return typeof model === "string" && ECHO.test(model);
}

/** Reads a parsed request body of any dialect; what an endpoint declares is for the caller to add. */
export function readRequestFacts(body: JsonObject): RequestFacts {
  const last = lastTurn(body);
  return {
    max_tokens: capOf(body),
    tools: toolNames(body),
    format: askedFormat(body["response_format"] ?? objectOf(body["text"])["format"]),
    is_prefilled: last["role"] === "assistant" || body["prompt"] !== undefined,
    is_after_tool_result: isToolResult(last),
    has_inline_reasoning: false,
    asks_for_echo: isEchoModel(body["model"]),
  };
}

function capOf(body: JsonObject): number | null {
  for (const key of CAPS) {
    const value = body[key];
    if (typeof value === "number") return value;
  }
  return null;
}

function lastTurn(body: JsonObject): JsonObject {
  const input = arrayOf(body["input"]);
  return objectOf((input.length > 0 ? input : arrayOf(body["messages"])).at(-1));
}

function toolNames({ tools, functions }: JsonObject): readonly string[] {
  if (tools === undefined && functions === undefined) return BARE_REQUEST.tools;
  return [...arrayOf(tools), ...arrayOf(functions)].flatMap(toolName);
}

/** The name of a declared tool in any dialect, as a list of one; bare names are taken too. */
export function toolName(tool: unknown): string[] {
  if (typeof tool === "string") return [tool];
  const name = objectOf(objectOf(tool)["function"])["name"] ?? objectOf(tool)["name"];
  return typeof name === "string" ? [name] : [];
}

function isToolResult({ role, type, content }: JsonObject): boolean {
  if (role === "tool" || role === "function") return true;
  if (typeof type === "string" && type.endsWith("_call_output")) return true;
  return objectOf(arrayOf(content).at(-1))["type"] === "tool_result";
}

/** `response_format` of chat, `text.format` of responses; null if any text will do. */
export function askedFormat(format: unknown): AskedFormat | null {
  const { type, schema, json_schema: wrapped } = objectOf(format);
  if (type !== "json_object" && type !== "json_schema") return null;
  const found = objectOf(wrapped)["schema"] ?? schema;
  return { kind: type, schema: isObject(found) ? found : null };
}
