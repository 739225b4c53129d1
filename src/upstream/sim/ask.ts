import { arrayOf, isObject, type JsonObject } from "../../protocol/openai/fields.ts";
import type { Endpoint } from "./models.ts";
import { BadMember, type Read, reading, readTexts, wholeNumber } from "./reading.ts";
import { countTokens, type Limits } from "./speech/tokens.ts";

/** A function tool the client declared. */
interface Tool {
  readonly name: string;
  readonly parameters: unknown;
}

interface ToolUse {
  readonly tools: readonly Tool[];
  /** A call is due whatever the model: `required` or a named function. */
  readonly forced: boolean;
  readonly parallel: boolean;
}

interface JsonMode {
  /** Null for `json_object`. */
  readonly schema: unknown;
}

/** What a chat or completions request asks for. */
export interface Ask {
  readonly endpoint: Exclude<Endpoint, "embeddings">;
  /** What `echo` says: one text for chat, one for each prompt of completions. */
  readonly prompts: readonly string[];
  readonly prompt_tokens: number;
  readonly stream: boolean;
  readonly include_usage: boolean;
  /** Choices for each prompt. */
  readonly n: number;
  readonly limits: Limits;
  readonly tools: ToolUse;
  readonly json: JsonMode | null;
  /** Legacy `echo`: the prompt is repeated before the answer. */
  readonly repeat_prompt: boolean;
}

const MAX_CHOICES = 128;
/** Over all prompts of one request. */
const MAX_ALL_CHOICES = 2048;
const MAX_STOP = 16;
const NO_TOOLS: ToolUse = { tools: [], forced: false, parallel: true };

/** Reads a chat or completions body as strictly as OpenAI does where a wrong type changes the answer. */
export function readAsk(endpoint: Ask["endpoint"], body: JsonObject): Read<Ask> {
  return reading(() => (endpoint === "chat" ? chatAsk(body) : completionsAsk(body)));
}

function chatAsk(body: JsonObject): Ask {
  const messages = readMessages(body["messages"]);
  const texts = messages.map(({ content }) => textOf(content));
  const spoken = messages.findLastIndex(({ role }) => role === "user" || isToolResult(role));
  const answered = isToolResult(messages.at(-1)?.["role"]);
  return {
    ...sharedAsk(body),
    endpoint: "chat",
    prompts: [texts.at(spoken) ?? ""],
    prompt_tokens: totalTokens(texts),
    tools: answered ? NO_TOOLS : toolUse(body),
    json: jsonMode(body["response_format"]),
    repeat_prompt: false,
  };
}

function completionsAsk(body: JsonObject): Ask {
  const prompts = readTexts(body["prompt"], "prompt");
  const shared = sharedAsk(body);
  if (prompts.length * shared.n > MAX_ALL_CHOICES) {
    throw new BadMember("prompt", `One request gets at most ${MAX_ALL_CHOICES} choices in all.`);
  }
  return {
    ...shared,
    endpoint: "completions",
    prompts,
    prompt_tokens: totalTokens(prompts),
    tools: NO_TOOLS,
    json: null,
    repeat_prompt: body["echo"] === true,
  };
}

export function totalTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

function sharedAsk(body: JsonObject) {
  const options = body["stream_options"];
  const cap = body["max_completion_tokens"] ?? body["max_tokens"];
  return {
    stream: body["stream"] === true,
    include_usage: isObject(options) && options["include_usage"] === true,
    n: wholeNumber(body["n"], "n", { max: MAX_CHOICES, fallback: 1 }),
    limits: {
      max_tokens: wholeNumber(cap, "max_tokens", { max: 1e12, fallback: null }),
      stop: stopSequences(body["stop"]),
    },
  };
}

function readMessages(value: unknown): readonly JsonObject[] {
  const messages = arrayOf(value).filter(isObject);
  if (messages.length === 0 || messages.length !== arrayOf(value).length) {
    throw new BadMember("messages", "`messages` must be an array of at least one message object.");
  }
  const nameless = messages.findIndex(({ role }) => typeof role !== "string");
  if (nameless < 0) return messages;
  throw new BadMember(`messages[${nameless}].role`, "Every message needs a `role`.");
}

function isToolResult(role: unknown): boolean {
  return role === "tool" || role === "function";
}

/** The text parts of a message, images and other parts left out. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return arrayOf(content)
    .flatMap((part) => (isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}

function stopSequences(value: unknown): readonly string[] {
  const sequences = typeof value === "string" ? [value] : arrayOf(value ?? []);
  const texts = sequences.filter((sequence) => typeof sequence === "string");
  if (texts.length === sequences.length && texts.length <= MAX_STOP && !texts.includes("")) {
    return texts;
  }
  throw new BadMember("stop", "`stop` must be a text or a short array of texts, none empty.");
}

function toolUse(body: JsonObject): ToolUse {
  const tools = arrayOf(body["tools"]).flatMap((tool): readonly Tool[] => {
    const declared = isObject(tool) ? tool["function"] : undefined;
    if (!isObject(declared) || typeof declared["name"] !== "string") return [];
    return [{ name: declared["name"], parameters: declared["parameters"] ?? {} }];
  });
  const wanted = body["tool_choice"];
  const parallel = body["parallel_tool_calls"] !== false;
  if (wanted === "none" || tools.length === 0) return NO_TOOLS;
  const named = isObject(wanted) && isObject(wanted["function"]) ? wanted["function"] : null;
  if (named === null) return { tools, forced: wanted === "required", parallel };
  const chosen = tools.filter(({ name }) => name === named["name"]);
  if (chosen.length > 0) return { tools: chosen, forced: true, parallel };
  throw new BadMember("tool_choice", "`tool_choice` names a function that `tools` does not list.");
}

function jsonMode(format: unknown): JsonMode | null {
  if (!isObject(format)) return null;
  if (format["type"] === "json_object") return { schema: null };
  if (format["type"] !== "json_schema") return null;
  const declared = format["json_schema"];
  if (isObject(declared) && isObject(declared["schema"])) return { schema: declared["schema"] };
  throw new BadMember("response_format", "`response_format.json_schema` needs a `schema`.");
}
