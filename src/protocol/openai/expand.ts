import { arrayOf, isObject, type JsonObject, objectOf } from "./fields.ts";
import { repairFinish } from "./finish-reason.ts";
import { argumentsText, calledPart } from "./stream/tool-calls.ts";

interface ExpandOptions {
  readonly dialect: "chat" | "completions";
  readonly include_usage: boolean;
  /** Makes an id for a tool call that came without one. */
  readonly newId: () => string;
}

/** One JSON answer as the stream that a client asked for: content, finish, usage if wanted, `[DONE]`. */
export function expandAnswer(body: JsonObject, options: ExpandOptions): string {
  const chunks = answerChunks(body, options);
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

/** The chunks of a stream that says what one JSON answer says. */
export function answerChunks(body: JsonObject, options: ExpandOptions): JsonObject[] {
  const { choices, usage, ...rest } = body;
  const isChat = options.dialect === "chat";
  const head = { ...rest, object: isChat ? "chat.completion.chunk" : "text_completion" };
  const chunk = (members: JsonObject) => ({ ...head, ...members });
  const list = arrayOf(choices).map((value, position) => {
    const choice = objectOf(value);
    const index = typeof choice["index"] === "number" ? choice["index"] : position;
    return isChat ? chatChoice(choice, index, options.newId) : textChoice(choice, index);
  });
  return [
    ...list.map(({ content }) => chunk({ choices: [content] })),
    ...list.map(({ finish }) => chunk({ choices: [finish] })),
    ...(options.include_usage && isObject(usage) ? [chunk({ choices: [], usage })] : []),
  ];
}

/** A choice cut into what it says and how it ends. */
interface Cut {
  readonly content: JsonObject;
  readonly finish: JsonObject;
}

function textChoice(choice: JsonObject, index: number): Cut {
  const { text = "", finish_reason: reason, ...rest } = choice;
  return {
    content: { ...rest, index, text, finish_reason: null },
    finish: { index, text: "", finish_reason: finishOf(reason, false) },
  };
}

function chatChoice(choice: JsonObject, index: number, newId: () => string): Cut {
  const { message, finish_reason: reason, ...rest } = choice;
  const { tool_calls: given, ...said } = objectOf(message);
  const calls = arrayOf(given).map((call, at) => readableCall(objectOf(call), at, newId));
  const delta = { role: "assistant", ...said, ...(calls.length > 0 && { tool_calls: calls }) };
  return {
    content: { ...rest, index, delta, finish_reason: null },
    finish: { index, delta: {}, finish_reason: finishOf(reason, calls.length > 0) },
  };
}

/** What came whole is finished, whatever its upstream forgot to say. */
function finishOf(reason: unknown, hasCalls: boolean): string {
  const called = hasCalls ? "tool_calls" : null;
  const repaired = typeof reason === "string" ? repairFinish(reason, called) : null;
  return repaired ?? called ?? "stop";
}

/** A whole call as the one fragment of a stream, with all that SDKs want of a first fragment. */
function readableCall(call: JsonObject, index: number, newId: () => string): JsonObject {
  const part = calledPart(call);
  const id = call["id"] || newId();
  if (!isObject(call["function"])) return { ...call, index, id };
  const called = { ...part, arguments: argumentsText(part) };
  return { ...call, index, id, type: call["type"] || "function", function: called };
}
