import { arrayOf, isFilledText, type JsonObject, objectOf } from "../openai/fields.ts";
import { argumentsText } from "../openai/stream/tool-calls.ts";
import { eventText } from "./event-text.ts";
import type { MessagesEvent } from "./read-event.ts";

/** A whole message as the stream that a client asked for. */
export function expandMessage(message: JsonObject): string {
  return messageEvents(message).map(eventText).join("");
}

/** The events of a stream that says what a whole message says, nothing of it lost. */
export function messageEvents(message: JsonObject): MessagesEvent[] {
  const { content, stop_reason, stop_sequence = null, stop_details, container, ...rest } = message;
  const blocks = blocksOf(content);
  const usage = objectOf(rest["usage"]);
  const counts = { ...usage, output_tokens: outputTokens(usage) };
  const start = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage: counts };
  const delta = {
    stop_reason: isFilledText(stop_reason) ? stop_reason : missingStop(blocks),
    stop_sequence,
    ...(stop_details !== undefined && { stop_details }),
    ...(container !== undefined && { container }),
  };
  return [
    { type: "message_start", message: start },
    ...blocks.flatMap(blockEvents),
    { type: "message_delta", delta, usage: counts },
    { type: "message_stop" },
  ];
}

interface Block extends JsonObject {
  readonly type: string;
}

/** What came whole is finished, whatever its upstream forgot to say. */
export function missingStop(blocks: readonly JsonObject[]): string {
  return blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
}

export function outputTokens(usage: JsonObject): number {
  const count = usage["output_tokens"];
  return typeof count === "number" ? count : 0;
}

function blocksOf(content: unknown): Block[] {
  if (isFilledText(content)) return [{ type: "text", text: content }];
  return arrayOf(content)
    .map(objectOf)
    .flatMap((block) => (isFilledText(block["type"]) ? [{ ...block, type: block["type"] }] : []));
}

function blockEvents(block: Block, index: number): MessagesEvent[] {
  const { opening, deltas } = cut(block);
  return [
    { type: "content_block_start", index, content_block: opening },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** A block as it opens, and what fills it; types that have no deltas open complete. */
function cut(block: Block): { readonly opening: JsonObject; readonly deltas: JsonObject[] } {
  const { citations, ...rest } = block;
  switch (block.type) {
    case "text":
      return {
        opening: { ...rest, text: "" },
        deltas: [
          ...arrayOf(citations).map((citation) => ({ type: "citations_delta", citation })),
          { type: "text_delta", text: block["text"] ?? "" },
        ],
      };
    case "thinking":
      return {
        opening: { ...block, thinking: "", signature: "" },
        deltas: [
          { type: "thinking_delta", thinking: block["thinking"] ?? "" },
          { type: "signature_delta", signature: block["signature"] ?? "" },
        ],
      };
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return {
        opening: { ...block, input: {} },
        deltas: [{ type: "input_json_delta", partial_json: inputText(block["input"]) }],
      };
    default:
      return { opening: block, deltas: [] };
  }
}

function inputText(input: unknown): string {
  return argumentsText({ arguments: input }) || "{}";
}
