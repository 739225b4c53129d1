import { addAll } from "../../../lib/add-all.ts";
import type { JsonObject } from "../../openai/fields.ts";
import { type Findings, plainWord } from "../findings.ts";
import { createWaitingCalls } from "../waiting-calls.ts";
import {
  assistantMessages,
  type AssistantTurn,
  type Call,
  emptyTurn,
  type Output,
} from "./assistant-turn.ts";
import { chatContent } from "./parts-to-chat.ts";

type Turn = AssistantTurn | { readonly kind: "message"; readonly message: JsonObject };

/**
 * Builds a chat history from items. Chat wants all calls of a turn in one assistant message and their
 * results right behind it, wherever the items stood.
 */
export function createTurns(findings: Findings) {
  const turns: Turn[] = [];
  /** Calls without a result. */
  const pending = createWaitingCalls<Call>();
  const extras = new Map<string, JsonObject>();

  function assistant(isNew: (turn: AssistantTurn) => boolean): AssistantTurn {
    const last = turns.at(-1);
    if (last?.kind === "assistant" && !last.is_answered && !isNew(last)) return last;
    const turn = emptyTurn();
    turns.push(turn);
    return turn;
  }

  return {
    addMessage(message: JsonObject): void {
      turns.push({ kind: "message", message });
    },

    addText(text: string, refusal: string): void {
      const turn = assistant(hasOnlyText);
      if (text !== "") turn.texts.push(text);
      if (refusal !== "") turn.refusals.push(refusal);
    },

    /** What only brings details belongs to the turn before it. */
    addReasoning(text: string, kept: readonly JsonObject[]): void {
      const turn = assistant((last) => text !== "" && hasOnlyText(last));
      if (text !== "") turn.reasoning.push(text);
      addAll(turn.details, kept);
    },

    addExtras(calls: ReadonlyMap<string, JsonObject>): void {
      for (const [id, extra] of calls) extras.set(id, extra);
    },

    addCall(call: Omit<Call, "output" | "turn">): void {
      const turn = assistant(() => false);
      const open: Call = { ...call, turn, output: undefined };
      turn.calls.push(open);
      pending.add(open);
    },

    addOutput(id: string, output: Output): void {
      const call = pending.take(id);
      if (call) {
        call.output = output;
        call.turn.is_answered = true;
      } else turns.push({ kind: "message", message: orphan(id, output) });
    },

    messages(): JsonObject[] {
      for (const { id } of pending.takeAll()) {
        findings.refuse({ param: "input", message: unanswered(id) });
      }
      return turns.flatMap((turn) =>
        turn.kind === "message" ? [turn.message] : assistantMessages(turn, extras, findings),
      );
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;

/** Two answers in a row stay two, unless calls hold them together. */
function hasOnlyText({ texts, refusals, calls }: AssistantTurn): boolean {
  return texts.length + refusals.length > 0 && calls.length === 0;
}

function unanswered(id: string): string {
  return (
    `No tool output found for function call \`${plainWord(id, "…")}\`; ` +
    "`input` must hold an output with this `call_id` after the call."
  );
}

/** The model once called for it, so it is told, though nothing here says which call. */
function orphan(id: string, { text, attachments }: Output): JsonObject {
  const head = `Output of the earlier tool call ${id}:\n${text}`;
  return { role: "user", content: chatContent([{ type: "text", text: head }, ...attachments]) };
}
