import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { argumentsText, calledPart } from "../../openai/stream/tool-calls.ts";
import { isOpenAiDetail } from "../../responses/packed-reasoning.ts";
import type { Findings } from "../findings.ts";
import { contentFromChat, textOf } from "./parts-from-chat.ts";

interface ResponsesInput {
  /** The leading system message; null without one. */
  readonly instructions: string | null;
  readonly input: readonly JsonObject[];
}

/** A chat history as items. */
export function inputFromChat(messages: unknown, findings: Findings): ResponsesInput {
  const all = arrayOf(messages).map(objectOf);
  const [first] = all;
  const leads = first?.["role"] === "system" && isFilledText(first["content"]);
  const instructions = leads ? textOf(first["content"]) : null;
  const customs = new Set<unknown>();
  const input = all.flatMap((message, index) => {
    if (leads && index === 0) return [];
    return itemsOf({ message, path: `messages[${index}]`, customs }, findings);
  });
  return { instructions, input };
}

interface Placed {
  readonly message: JsonObject;
  readonly path: string;
  /** Ids of the calls of custom tools so far. */
  readonly customs: Set<unknown>;
}

function itemsOf(placed: Placed, findings: Findings): readonly JsonObject[] {
  const { message, path } = placed;
  if (message["name"] !== undefined && message["role"] !== "tool") findings.lose("messages.name");
  switch (message["role"]) {
    case "assistant":
      return assistantItems(placed, findings);
    case "tool":
      return [outputItem(placed, findings)];
    case "system":
    case "developer":
    case "user": {
      const { role, content } = message;
      return [{ type: "message", role, content: contentFromChat(content, path, findings) }];
    }
    default:
      findings.refuse({
        param: `${path}.role`,
        message: `\`${path}.role\` is none of system, developer, user, assistant, tool.`,
      });
      return [];
  }
}

function assistantItems({ message, path, customs }: Placed, findings: Findings): JsonObject[] {
  const { content, refusal, tool_calls: calls, function_call: legacy, audio } = message;
  if (legacy !== undefined && legacy !== null) findings.refuse(legacyCall(`${path}.function_call`));
  if (isObject(audio)) findings.lose("messages.audio");
  const text = textOf(content);
  const parts = [
    ...(text === "" ? [] : [{ type: "output_text", text, annotations: [] }]),
    ...(isFilledText(refusal) ? [{ type: "refusal", refusal }] : []),
  ];
  const said = parts.length > 0 ? [{ type: "message", role: "assistant", content: parts }] : [];
  return [
    ...reasoningItems(message, findings),
    ...said,
    ...arrayOf(calls).map((call) => callItem(objectOf(call), customs)),
  ];
}

function legacyCall(param: string) {
  return { param, message: `\`${param}\` is of the old form; use \`tools\` and \`tool_calls\`.` };
}

/** Only what OpenAI encrypted can be shown to OpenAI again. */
function reasoningItems(message: JsonObject, findings: Findings): JsonObject[] {
  const { reasoning_details: details, reasoning_content: content, reasoning } = message;
  const ours = arrayOf(details).map(objectOf).filter(isOpenAiDetail);
  const text = [content, reasoning].find(isFilledText);
  if (ours.length === 0) {
    const isLost = text !== undefined || arrayOf(details).length > 0;
    if (isLost) findings.lose("messages.reasoning_content");
    return [];
  }
  return ours.map((detail, index) => reasoningItem(detail, index === 0 ? text : undefined));
}

function reasoningItem({ id, data }: JsonObject, text: string | undefined): JsonObject {
  const summary = text === undefined ? [] : [{ type: "summary_text", text }];
  return { type: "reasoning", ...(isFilledText(id) && { id }), summary, encrypted_content: data };
}

function callItem(call: JsonObject, customs: Set<unknown>): JsonObject {
  const { id, custom } = call;
  const part = calledPart(call);
  const { name } = part;
  if (isObject(custom)) {
    customs.add(id);
    return { type: "custom_tool_call", call_id: id, name, input: custom["input"] ?? "" };
  }
  const given = argumentsText(part);
  return { type: "function_call", call_id: id, name, arguments: given === "" ? "{}" : given };
}

function outputItem({ message, path, customs }: Placed, findings: Findings): JsonObject {
  const { tool_call_id: id, content } = message;
  const type = customs.has(id) ? "custom_tool_call_output" : "function_call_output";
  const parts = contentFromChat(content, path, findings);
  const isPlain = typeof parts === "string" || parts.every((part) => part["type"] === "input_text");
  return { type, call_id: id, output: isPlain ? textOf(content) : parts };
}
