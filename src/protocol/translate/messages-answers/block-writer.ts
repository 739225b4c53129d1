import type { MessagesEvent } from "../../anthropic/read-event.ts";
import type { CallState } from "../../anthropic/stop-reason.ts";
import type { JsonObject } from "../../openai/fields.ts";
import { argumentsText, calledPart, createToolCalls } from "../../openai/stream/tool-calls.ts";
import type { OnLoss } from "../answer-loss.ts";
import { createBlockLine } from "./block-line.ts";
import type { Piece } from "./pieces.ts";
import { createWaitingParts } from "./waiting-parts.ts";
import { createPartWriter, type Part } from "./write-parts.ts";

interface WriterOptions {
  readonly newId: () => string;
  readonly onLoss: OnLoss;
  readonly emit: (event: MessagesEvent) => void;
}

/**
 * Writes what an answer says as content blocks, which follow one another and never overlap: while the
 * arguments of a call go on, everything else waits.
 */
export function createBlockWriter({ newId, onLoss, emit }: WriterOptions) {
  const calls = createToolCalls(newId);
  const line = createBlockLine(emit);
  const writer = createPartWriter(line, onLoss);
  const waiting = createWaitingParts();

  function isOfOpenCall(part: Part): boolean {
    const open = line.current();
    return part.kind === "fragment" && open?.kind === "call" && open.call === part.call;
  }

  function take(part: Part): void {
    if (line.isBusy() && !isOfOpenCall(part)) waiting.add(part);
    else writer.write(part);
  }

  /** What has waited long enough, until something makes it wait again. */
  function drain(): void {
    while (!waiting.isEmpty() && !line.isBusy()) waiting.take().forEach(take);
  }

  function fragmentsOf(call: JsonObject): Part[] {
    const { index, id, name } = calls.place(call);
    // Nobody could run what has no name, and tools of free text have no place here.
    if (name === "" || call["custom"] !== undefined) {
      onLoss("tool_calls");
      return [];
    }
    const text = argumentsText(calledPart(call));
    return [{ kind: "fragment", call: index, id, name, text }];
  }

  return {
    write(piece: Piece): void {
      (piece.kind === "call" ? fragmentsOf(piece.call) : [piece]).forEach(take);
      drain();
    },

    /** Nothing more will come. */
    end(): void {
      line.close();
      while (!waiting.isEmpty()) {
        drain();
        line.close();
      }
    },

    calls(): CallState {
      if (!writer.hasCalls()) return "none";
      return calls.areBroken() ? "broken" : "complete";
    },
  };
}
