import {
  arrayOf,
  isFilledText,
  isObject,
  type JsonObject,
  objectOf,
  parseJson,
} from "../../openai/fields.ts";
import type { Findings } from "../findings.ts";
import { type CallIds, toolName } from "./call-names.ts";
import { blocksOfPart, textBlocks } from "./media-from-chat.ts";
import { thinkingBlocks } from "./reasoning.ts";

/** A call that waits for its result: the client's id and the one that is sent. */
export interface OpenCall {
  readonly id: string;
  readonly sent: string;
  readonly name: string;
}

export interface AssistantBlocks {
  readonly blocks: readonly JsonObject[];
  readonly calls: readonly OpenCall[];
}

interface Assistant {
  readonly message: JsonObject;
  readonly param: string;
  readonly ids: CallIds;
  readonly keep_thinking: boolean;
}

/** What an assistant said, as blocks: thinking, text, then calls. */
export function assistantBlocks(assistant: Assistant, findings: Findings): AssistantBlocks {
  const { message, param, ids, keep_thinking } = assistant;
  const thinking = keep_thinking ? thinkingBlocks(message) : [];
  findLostReasoning(message, thinking.length, findings);
  if (message["audio"] !== undefined && message["audio"] !== null) findings.lose("messages.audio");
  const text = [
    ...contentBlocks(message["content"], `${param}.content`, findings),
    ...textBlocks(message["refusal"]),
  ];
  const used = callsOf(message).map((call) => useOf(call, ids));
  return {
    blocks: [...thinking, ...text, ...used.map(({ block }) => block)],
    calls: used.map(({ call }) => call),
  };
}

export function contentBlocks(
  content: unknown,
  param: string,
  findings: Findings,
): readonly JsonObject[] {
  if (typeof content === "string") return textBlocks(content);
  return arrayOf(content).flatMap((part, index) =>
    typeof part === "string"
      ? textBlocks(part)
      : blocksOfPart({ part: objectOf(part), param: `${param}[${index}]` }, findings),
  );
}

function findLostReasoning(message: JsonObject, kept: number, findings: Findings): void {
  const details = arrayOf(message["reasoning_details"]);
  if (details.length > kept) findings.lose("messages.reasoning_details");
  if (kept > 0) return;
  for (const name of ["reasoning_content", "reasoning"]) {
    if (isFilledText(message[name])) findings.lose(`messages.${name}`);
  }
}

function callsOf(message: JsonObject): readonly JsonObject[] {
  const calls = arrayOf(message["tool_calls"]).map(objectOf);
  const legacy = message["function_call"];
  if (calls.length > 0 || !isObject(legacy)) return calls;
  // The older form knows no id; its result names the function instead.
  return [{ id: legacy["name"], function: legacy }];
}

function useOf(call: JsonObject, ids: CallIds): { block: JsonObject; call: OpenCall } {
  const custom = isObject(call["custom"]) ? call["custom"] : null;
  const called = custom ?? objectOf(call["function"]);
  const id = isFilledText(call["id"]) ? call["id"] : "";
  const name = isFilledText(called["name"]) ? called["name"] : "";
  const sent = ids.take(id);
  const input = custom ? { input: custom["input"] ?? "" } : inputOf(called["arguments"]);
  return {
    block: { type: "tool_use", id: sent, name: toolName(name), input },
    call: { id, sent, name },
  };
}

/** Arguments as an object; what is none is kept as text, since a history must never fail. */
function inputOf(given: unknown): JsonObject {
  if (isObject(given)) return given;
  if (typeof given !== "string" || given.trim() === "") return {};
  const parsed = parseJson(given);
  return isObject(parsed) ? parsed : { _raw: given };
}
