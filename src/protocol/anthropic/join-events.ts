import { isTooDeep } from "../json/nesting.ts";
import {
  arrayOf,
  isFilledText,
  isObject,
  type JsonObject,
  objectOf,
  parseJson,
} from "../openai/fields.ts";
import { argumentsText } from "../openai/stream/tool-calls.ts";
import { joinTold } from "./join-told.ts";
import { missingStop, outputTokens } from "./message-events.ts";
import type { MessagesEvent } from "./read-event.ts";

/** A block that grows; `json` is what its input deltas came to so far. */
interface Growing {
  block: JsonObject;
  json: string;
}

/** The type of the block that a delta belongs to, where nothing opened one. */
const OPENED_BY: ReadonlyMap<unknown, JsonObject> = new Map([
  ["text_delta", { type: "text", text: "" }],
  ["thinking_delta", { type: "thinking", thinking: "", signature: "" }],
]);

/** Puts the events of a stream together into one message, server tools and citations included. */
export function createMessageJoiner() {
  const blocks: Growing[] = [];
  const byIndex = new Map<number, Growing>();
  let message: JsonObject | undefined;
  let ending: JsonObject = {};
  let usage: JsonObject = {};

  function open(index: unknown, block: JsonObject): Growing {
    const growing = { block, json: "" };
    blocks.push(growing);
    if (typeof index === "number") byIndex.set(index, growing);
    return growing;
  }

  function grow(index: unknown, delta: JsonObject): void {
    const known = typeof index === "number" ? byIndex.get(index) : blocks.at(-1);
    const missing = OPENED_BY.get(delta["type"]);
    const growing = known ?? (missing && open(index, missing));
    if (growing) extend(growing, delta);
  }

  return {
    add(event: MessagesEvent): void {
      const { type, index } = event;
      if (type === "message_start") {
        const { usage: counts, content, ...rest } = objectOf(event["message"]);
        usage = joinTold(usage, objectOf(counts));
        if (message === undefined)
          for (const block of arrayOf(content)) open(null, objectOf(block));
        message ??= rest;
      } else if (type === "content_block_start") open(index, objectOf(event["content_block"]));
      else if (type === "content_block_delta") grow(index, objectOf(event["delta"]));
      else if (type === "message_delta") {
        const delta = objectOf(event["delta"]);
        ending = joinTold({ ...delta, ...ending }, delta);
        usage = joinTold(usage, objectOf(event["usage"]));
      }
    },

    /** It has said why it stopped. */
    isFinished: (): boolean => isFilledText(ending["stop_reason"]),

    /** Undefined if nothing of a message came. */
    body(): JsonObject | undefined {
      if (message === undefined && blocks.length === 0) return undefined;
      const content = blocks.map(closed);
      return {
        type: "message",
        role: "assistant",
        ...message,
        content,
        stop_sequence: null,
        ...ending,
        stop_reason: ending["stop_reason"] ?? missingStop(content),
        usage: { ...usage, output_tokens: outputTokens(usage) },
      };
    },
  };
}

/** The member of a block that each type of delta carries on. */
const TEXTS: ReadonlyMap<unknown, string> = new Map([
  ["text_delta", "text"],
  ["thinking_delta", "thinking"],
  ["compaction_delta", "content"],
]);

function extend(growing: Growing, delta: JsonObject): void {
  const { type, citation, signature, partial_json: piece } = delta;
  const { block } = growing;
  const name = TEXTS.get(type);
  if (name !== undefined) {
    growing.block = { ...block, [name]: textOf(block[name]) + textOf(delta[name]) };
  } else if (type === "input_json_delta") growing.json += argumentsText({ arguments: piece });
  else if (type === "signature_delta") growing.block = { ...block, signature };
  else if (type === "citations_delta") {
    growing.block = { ...block, citations: [...arrayOf(block["citations"]), citation] };
  }
}

const textOf = (text: unknown): string => (typeof text === "string" ? text : "");

function closed({ block, json }: Growing): JsonObject {
  return json === "" ? block : { ...block, input: inputOf(json) };
}

/** Arguments that are no object are kept as text, so that no tool runs on what the model did not say. */
function inputOf(json: string): JsonObject {
  const input = parseJson(json);
  return isObject(input) && !isTooDeep(input) ? input : { _raw: json };
}
