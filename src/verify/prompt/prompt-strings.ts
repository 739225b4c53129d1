import { arrayOf, isObject, type JsonObject, objectOf } from "../../protocol/openai/fields.ts";

/** Members of a request body that the model reads, in every dialect. */
const READ_BY_MODEL = [
  "messages",
  "system",
  "instructions",
  "prompt",
  "suffix",
  "input",
  "prediction",
  "tools",
  "functions",
  "response_format",
  "text",
  "documents",
];

/** Members whose own text the model does not read; what they contain may be read. */
const NO_TEXT = new Set([
  "role",
  "type",
  "id",
  "call_id",
  "tool_call_id",
  "tool_use_id",
  "file_id",
  "url",
  "image_url",
  "signature",
  "encrypted_content",
]);

export const NON_ASCII = /[^\0-\x7F]/;

/**
 * Every text of a request body that reaches the model: all roles, parts, tool results and tools. Names of
 * members, as of a schema's properties, are texts too where they are beyond ASCII.
 */
export function* promptStrings(body: JsonObject): Generator<string> {
  const left: unknown[] = READ_BY_MODEL.map((key) => body[key]).toReversed();
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") yield value;
    else if (Array.isArray(value)) for (const member of value) left.push(member);
    else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        if (NON_ASCII.test(key)) yield key;
        if (typeof member !== "string" || !NO_TEXT.has(key)) left.push(member);
      }
    }
  }
}

const FILES: ReadonlySet<unknown> = new Set(["file", "input_file", "document", "document_url"]);
/** Members by which a vendor adds what it finds. */
const SEARCHES = ["web_search_options", "plugins", "search_parameters"];

/** Whether a conversation in its chat form has text that cannot be read here: in files, or on the web. */
export function hasUnreadText(body: JsonObject): boolean {
  if (SEARCHES.some((name) => body[name] !== undefined && body[name] !== null)) return true;
  const { messages } = body;
  return Array.isArray(messages) && messages.some(hasFile);
}

function hasFile(message: unknown): boolean {
  const content = isObject(message) ? message["content"] : undefined;
  return (
    Array.isArray(content) && content.some((part) => isObject(part) && FILES.has(part["type"]))
  );
}

/** Texts of what people and applications asked: user turns, and a system prompt that is no manual. */
const MAX_SYSTEM = 4_000;
const MAX_ASKED = 16_000;

/** The request in its author's words, newest first; tool results and the model's turns left out. */
export function askedText(body: JsonObject): string {
  const turns = [...arrayOf(body["messages"]), ...arrayOf(body["input"])].map(objectOf);
  const user = turns.filter(({ role }) => role === "user").map((turn) => textOf(turn["content"]));
  const system = turns
    .filter(({ role }) => role === "system" || role === "developer")
    .map((turn) => textOf(turn["content"]))
    .concat(textOf(body["system"]), textOf(body["instructions"]));
  const bare = [textOf(body["prompt"]), typeof body["input"] === "string" ? body["input"] : ""];
  const brief = system.filter((text) => text.length <= MAX_SYSTEM);
  return [...bare, ...user.toReversed(), ...brief]
    .filter((text) => text !== "")
    .map(bothEnds)
    .join("\n")
    .slice(0, MAX_ASKED);
}

/** People say what to do with a long text before it or behind it. */
function bothEnds(text: string): string {
  if (text.length < MAX_ASKED) return text;
  const half = MAX_ASKED / 2 - 1;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** The last thing a person said; what an echo would repeat. */
export function lastUserText(body: JsonObject): string {
  const last =
    arrayOf(body["input"]).findLast(isUser) ?? arrayOf(body["messages"]).findLast(isUser);
  if (last !== undefined) return textOf(objectOf(last)["content"]);
  const bare = body["prompt"] ?? body["input"];
  return typeof bare === "string" ? bare : "";
}

const isUser = (turn: unknown) => objectOf(turn)["role"] === "user";

/** Text of a content: a string, or the text parts of a list. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return arrayOf(content)
    .map((part) => (typeof part === "string" ? part : objectOf(part)["text"]))
    .filter((text) => typeof text === "string")
    .join("\n");
}
