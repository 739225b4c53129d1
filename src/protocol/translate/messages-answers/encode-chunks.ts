import { emptyMessage } from "../../anthropic/empty-message.ts";
import type { MessagesEvent } from "../../anthropic/read-event.ts";
import { messagesUsage } from "../../anthropic/usage.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { readUsage, type TokenUsage } from "../../openai/usage.ts";
import type { OnLoss } from "../answer-loss.ts";
import { createBlockWriter } from "./block-writer.ts";
import { createFinish } from "./encode-finish.ts";
import { piecesOf } from "./pieces.ts";
import { tellOnce } from "./tell-once.ts";

export interface EncodingOptions {
  /** Of the message, such as `msg_…`. */
  readonly id: string;
  /** Where the upstream names none. */
  readonly model: string;
  /** Makes an id for a tool call that came without one. */
  readonly newId: () => string;
  /** Told the name of what a message has no room for, such as `audio`; once each. */
  readonly onLoss: OnLoss;
}

/** Turns chat chunks into the events of one message. Finish and usage are held until the end. */
export function createChunkEncoder({ id, model, newId, onLoss }: EncodingOptions) {
  const lose = tellOnce(onLoss);
  let events: MessagesEvent[] = [];
  const blocks = createBlockWriter({ newId, onLoss: lose, emit: (event) => events.push(event) });
  const finish = createFinish();
  let isStarted = false;
  let usage: TokenUsage | null = null;

  function start(chunk: JsonObject): void {
    if (isStarted) return;
    isStarted = true;
    const { model: own } = chunk;
    const counts = { ...messagesUsage(usage), output_tokens: 0 };
    const message = emptyMessage({ id, model: isFilledText(own) ? own : model, usage: counts });
    events.push({ type: "message_start", message });
  }

  function read(choice: JsonObject): void {
    for (const piece of piecesOf(objectOf(choice["delta"]), lose)) {
      if (piece.kind === "refusal") finish.refuse(piece.text);
      blocks.write(piece);
    }
    finish.read(choice);
  }

  function taken(): MessagesEvent[] {
    const ready = events;
    events = [];
    return ready;
  }

  return {
    push(chunk: JsonObject): MessagesEvent[] {
      usage = readUsage(chunk) ?? usage;
      start(chunk);
      for (const [position, value] of arrayOf(chunk["choices"]).entries()) {
        const choice = objectOf(value);
        if ((choice["index"] ?? position) === 0) read(choice);
        else lose("choices");
      }
      return taken();
    },

    end(): MessagesEvent[] {
      start({});
      blocks.end();
      events.push(finish.event(blocks.calls(), messagesUsage(usage)), { type: "message_stop" });
      return taken();
    },
  };
}
