import type { CallState } from "../../anthropic/stop-reason.ts";
import { arrayOf, isFilledText, type JsonObject } from "../../openai/fields.ts";
import { type AnswerLoss, lostKind, type OnLoss } from "../answer-loss.ts";
import { createBlockTable } from "./block-table.ts";
import { createCallDecoder } from "./decode-call.ts";
import { redactedDeltas, signatureDeltas, thoughtDeltas } from "./reasoning-deltas.ts";

export interface BlockOptions {
  /** Makes an id for a tool call that came without one. */
  readonly newId: () => string;
  /** Told the name of what chat has no room for, such as `citations`; once each. */
  readonly onLoss: OnLoss;
}

/** The content blocks of one message, each event turned into the deltas of chat that say the same. */
export function createBlocks({ newId, onLoss }: BlockOptions) {
  const calls = createCallDecoder(newId);
  const table = createBlockTable();

  function open(index: unknown, block: JsonObject): JsonObject[] {
    const { type, text, citations } = block;
    if (type === "thinking" || type === "redacted_thinking") {
      return reasoning(block, table.openReasoning(index));
    }
    if (type === "tool_use") {
      const { call, delta } = calls.open(block);
      table.put(index, call);
      return [delta];
    }
    table.put(index, { kind: type === "text" ? "text" : "lost" });
    if (arrayOf(citations).length > 0) onLoss("citations");
    if (type === "text") return said(text);
    onLoss(lostKind(type, "content_block"));
    return [];
  }

  function close(index: unknown): JsonObject[] {
    const block = table.at(index);
    return block?.kind === "call" ? calls.close(block) : [];
  }

  function argue(index: unknown, piece: unknown): JsonObject[] {
    const block = table.at(index);
    if (block?.kind === "call" && block.is_open) return calls.argue(block, piece);
    onLoss("input_json_delta");
    return [];
  }

  return {
    /** A block under an index that is still open ends what stood there. */
    open: (index: unknown, block: JsonObject): JsonObject[] => [
      ...(typeof index === "number" ? close(index) : []),
      ...open(index, block),
    ],

    /** Goes by the delta's own type: an upstream may leave out what opens its block. */
    add(
      index: unknown,
      { type, text, thinking, signature, partial_json }: JsonObject,
    ): JsonObject[] {
      if (table.at(index)?.kind === "lost") return [];
      if (type === "text_delta") return said(text);
      if (type === "thinking_delta") return thoughtDeltas(thinking, table.reasoningAt(index));
      if (type === "signature_delta") return signatureDeltas(signature, table.reasoningAt(index));
      if (type === "input_json_delta") return argue(index, partial_json);
      onLoss(lossOf(type));
      return [];
    },

    close,
    closeAll: (): JsonObject[] => calls.closeAll(),
    calls: (): CallState => calls.state(),
  };
}

/** `entry` counts the blocks of reasoning. */
function reasoning(block: JsonObject, entry: number): JsonObject[] {
  const { type, thinking, signature, data } = block;
  if (type === "redacted_thinking") return redactedDeltas(data, entry);
  return thoughtDeltas(thinking, entry).concat(signatureDeltas(signature, entry));
}

const said = (text: unknown): JsonObject[] => (isFilledText(text) ? [{ content: text }] : []);

function lossOf(type: unknown): AnswerLoss {
  return type === "citations_delta" ? "citations" : lostKind(type, "content_block_delta");
}
