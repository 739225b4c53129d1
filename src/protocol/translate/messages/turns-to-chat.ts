import { isThinkingBlock } from "../../anthropic/request/blocks.ts";
import { isVisible, type JsonObject, objectOf } from "../../openai/fields.ts";
import type { Findings } from "../findings.ts";
import { markError } from "./error-marker.ts";
import { partsOf, textOf, withCacheControl } from "./media-to-chat.ts";
import { reasoningOf } from "./reasoning.ts";
import { type PlacedBlock, placedBlocks, type Turn } from "./turn.ts";

/** The chat messages of one turn, in the order chat wants: results of tools before all else. */
export function chatMessages(turn: Turn, findings: Findings): readonly JsonObject[] {
  switch (turn.role) {
    case "system":
      return systemMessages(turn.blocks, findings);
    case "assistant":
      return assistantMessages(turn.blocks, findings);
    default:
      return userMessages(turn.blocks, findings);
  }
}

export function systemMessages(
  blocks: readonly PlacedBlock[],
  findings: Findings,
): readonly JsonObject[] {
  const parts = blocks.flatMap((placed) => partsOf(placed, findings));
  return parts.length === 0 ? [] : [{ role: "system", content: contentOf(parts) }];
}

/** A single plain text as a string, which every server reads; anything else as parts. */
function contentOf(parts: readonly JsonObject[]): unknown {
  const [first] = parts;
  const isPlain = parts.length === 1 && first?.["type"] === "text" && !("cache_control" in first);
  return isPlain ? first["text"] : parts;
}

function userMessages(blocks: readonly PlacedBlock[], findings: Findings): readonly JsonObject[] {
  const results = blocks
    .filter(({ block }) => block["type"] === "tool_result")
    .map((placed) => resultOf(placed, findings));
  const others = blocks
    .filter(({ block }) => block["type"] !== "tool_result")
    .flatMap((placed) => partsOf(placed, findings));
  const parts = [...mediaOf(results), ...others];
  const messages = results.map(({ message }) => message);
  return parts.length === 0 ? messages : [...messages, { role: "user", content: contentOf(parts) }];
}

interface ToolResult {
  readonly message: JsonObject;
  readonly id: string;
  /** What a chat tool message cannot hold: images and files. */
  readonly media: readonly JsonObject[];
}

const SEE_NEXT = "[the result is in the next message]";

function resultOf({ block, param }: PlacedBlock, findings: Findings): ToolResult {
  const parts = placedBlocks(block["content"], `${param}.content`).flatMap((placed) =>
    partsOf(placed, findings),
  );
  const texts = parts.filter(({ type }) => type === "text");
  const media = parts.filter(({ type }) => type !== "text");
  const id = textOf(block["tool_use_id"]);
  const plain = texts.map(({ text }) => textOf(text)).join("\n");
  const said = plain === "" && media.length > 0 ? SEE_NEXT : plain;
  const text = block["is_error"] === true ? markError(said) : said;
  const part = withCacheControl({ type: "text", text }, block);
  return { message: { role: "tool", tool_call_id: id, content: contentOf([part]) }, id, media };
}

/** With several results that bring images, each says whose they are. */
function mediaOf(results: readonly ToolResult[]): readonly JsonObject[] {
  const withMedia = results.filter(({ media }) => media.length > 0);
  if (withMedia.length < 2) return withMedia.flatMap(({ media }) => media);
  return withMedia.flatMap(({ id, media }) => {
    const heading: JsonObject = { type: "text", text: `[from the result of ${id}]` };
    return [heading].concat(media);
  });
}

/** What only Anthropic's servers ran and wrote down; the text around it tells what came of it. */
const SERVER_BLOCKS =
  /^(server_tool_use|mcp_tool_use|mcp_tool_result|tool_search_tool_result|\w+_tool_result|container_upload|fallback)$/;

function assistantMessages(
  blocks: readonly PlacedBlock[],
  findings: Findings,
): readonly JsonObject[] {
  const thinking = blocks.map(({ block }) => block).filter(isThinkingBlock);
  const calls = blocks.flatMap(({ block }) =>
    block["type"] === "tool_use" ? [callOf(block, findings)] : [],
  );
  const content = spokenContent(blocks, findings);
  if (content === null && calls.length === 0) {
    if (thinking.length > 0) findings.lose("messages.thinking");
    return [];
  }
  const tool_calls = calls.length > 0 && { tool_calls: calls };
  return [{ role: "assistant", content, ...reasoningOf(thinking), ...tool_calls }];
}

function callOf(block: JsonObject, findings: Findings): JsonObject {
  if (block["cache_control"] !== undefined) findings.lose("messages.cache_control");
  const { id, name, input } = block;
  return {
    id: textOf(id),
    type: "function",
    function: { name: textOf(name), arguments: JSON.stringify(objectOf(input)) },
  };
}

/** Text of an assistant: parts where one is marked for a cache, else one string. */
function spokenContent(blocks: readonly PlacedBlock[], findings: Findings): unknown {
  const parts: JsonObject[] = [];
  let joined = "";
  let before: unknown = "text";
  for (const { block, param } of blocks) {
    const { type } = block;
    const part = spokenPart({ block, param }, findings);
    if (part) {
      joined +=
        joined === "" || before === "text" ? textOf(part["text"]) : `\n\n${textOf(part["text"])}`;
      parts.push(part);
    }
    before = type;
  }
  if (!isVisible(joined)) return null;
  return parts.some((part) => "cache_control" in part) ? parts : joined;
}

function spokenPart({ block, param }: PlacedBlock, findings: Findings): JsonObject | null {
  const { type } = block;
  if (type === "tool_use" || isThinkingBlock(block)) return null;
  if (block["citations"] !== undefined && block["citations"] !== null) {
    findings.lose("messages.citations");
  }
  if (type === "text")
    return withCacheControl({ type: "text", text: textOf(block["text"]) }, block);
  // Stands for all that came before it.
  if (type === "compaction") return { type: "text", text: textOf(block["content"]) };
  if (typeof type === "string" && SERVER_BLOCKS.test(type)) {
    findings.lose(`messages.${type}`);
    return null;
  }
  findings.refuse({
    param,
    message: "An assistant's turn can hold text, thinking and tool calls only.",
  });
  return null;
}
