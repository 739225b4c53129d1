import type { JsonObject } from "../../openai/fields.ts";
import {
  assistantMessages,
  type AssistantTurn,
  type Call,
  emptyTurn,
  type Output,
} from "./assistant-turn.ts";
import { chatContent } from "./parts-to-chat.ts";
import type { Report } from "./report.ts";

type Turn = AssistantTurn | { readonly kind: "message"; readonly message: JsonObject };

/**
 * Builds a chat history from items. Chat wants all calls of a turn in one assistant message and their
 * results right behind it, wherever the items stood.
 */
export function createTurns(report: Report) {
  const turns: Turn[] = [];
  /** Calls without a result, by call id; some clients use an id again in a later turn. */
  const pending = new Map<string, Call[]>();
  const extras = new Map<string, JsonObject>();

  function assistant(isNew: (turn: AssistantTurn) => boolean): AssistantTurn {
    const last = turns.at(-1);
    if (last?.kind === "assistant" && !isAnswered(last) && !isNew(last)) return last;
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
      turn.details.push(...kept);
    },

    addExtras(calls: ReadonlyMap<string, JsonObject>): void {
      for (const [id, extra] of calls) extras.set(id, extra);
    },

    addCall(call: Omit<Call, "output">): void {
      const open: Call = { ...call, output: undefined };
      assistant(() => false).calls.push(open);
      pending.set(call.id, [...(pending.get(call.id) ?? []), open]);
    },

    addOutput(id: string, output: Output): void {
      const [call, ...rest] = pending.get(id) ?? [];
      pending.set(id, rest);
      if (call) call.output = output;
      else turns.push({ kind: "message", message: orphan(id, output) });
    },

    messages(): JsonObject[] {
      for (const [id, [call]] of pending) {
        if (call) report.refuse({ param: "input", message: unanswered(id) });
      }
      return turns.flatMap((turn) =>
        turn.kind === "message" ? [turn.message] : assistantMessages(turn, extras, report),
      );
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;

function isAnswered({ calls }: AssistantTurn): boolean {
  return calls.some(({ output }) => output !== undefined);
}

/** Two answers in a row stay two, unless calls hold them together. */
function hasOnlyText({ texts, refusals, calls }: AssistantTurn): boolean {
  return texts.length + refusals.length > 0 && calls.length === 0;
}

function unanswered(id: string): string {
  return (
    `No tool output found for function call \`${id.slice(0, 64)}\`; ` +
    "`input` must hold an output with this `call_id` after the call."
  );
}

/** The model once called for it, so it is told, though nothing here says which call. */
function orphan(id: string, { text, attachments }: Output): JsonObject {
  const head = `Output of the earlier tool call ${id}:\n${text}`;
  return { role: "user", content: chatContent([{ type: "text", text: head }, ...attachments]) };
}
