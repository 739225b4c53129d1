import { isFilledText, type JsonObject } from "../../openai/fields.ts";
import type { Findings } from "../findings.ts";

/** A call in the history, with its result once that is read. */
export interface Call {
  /** The turn that it is part of. */
  readonly turn: AssistantTurn;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  output: Output | undefined;
}

/** What a tool gave back; images and files have no place in a chat tool message. */
export interface Output {
  readonly text: string;
  readonly attachments: readonly JsonObject[];
}

/** What a model said between two messages of others. */
export interface AssistantTurn {
  readonly kind: "assistant";
  readonly texts: string[];
  readonly refusals: string[];
  readonly reasoning: string[];
  readonly details: JsonObject[];
  readonly calls: Call[];
  /** Some call has its result: what follows is another turn. */
  is_answered: boolean;
}

export function emptyTurn(): AssistantTurn {
  return {
    kind: "assistant",
    texts: [],
    refusals: [],
    reasoning: [],
    details: [],
    calls: [],
    is_answered: false,
  };
}

/** The messages of one turn: what the model said, then what its calls brought. */
export function assistantMessages(
  turn: AssistantTurn,
  extras: ReadonlyMap<string, JsonObject>,
  findings: Findings,
): JsonObject[] {
  const { texts, refusals, reasoning, details, calls } = turn;
  if (texts.length + refusals.length + calls.length === 0) {
    findings.lose("input.reasoning");
    return [];
  }
  const message = {
    role: "assistant",
    content: texts.length === 0 ? null : texts.join("\n\n"),
    ...(refusals.length > 0 && { refusal: refusals.join("\n\n") }),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join("\n\n") }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => chatCall(call, extras)) }),
  };
  return [message, ...toolMessages(calls)];
}

function chatCall(call: Call, extras: ReadonlyMap<string, JsonObject>): JsonObject {
  const { id, name } = call;
  const extra = extras.get(id);
  const called = { name, arguments: isFilledText(call.arguments) ? call.arguments : "{}" };
  return { id, type: "function", function: called, ...(extra && { extra_content: extra }) };
}

/** One message per result, then what the tools returned beside text, as the user's. */
function toolMessages(calls: readonly Call[]): JsonObject[] {
  const answered = calls.flatMap(({ id, output }) => (output ? [{ id, ...output }] : []));
  const results = answered.map(({ id, text, attachments }) => ({
    role: "tool",
    tool_call_id: id,
    content: text === "" && attachments.length > 0 ? "See the attachment below." : text,
  }));
  const attached = answered
    .filter(({ attachments }) => attachments.length > 0)
    .flatMap(({ id, attachments }) => attachmentsOf(id, attachments));
  return attached.length === 0 ? results : [...results, { role: "user", content: attached }];
}

function attachmentsOf(id: string, attachments: readonly JsonObject[]): JsonObject[] {
  return [{ type: "text", text: `Attachments of tool call ${id}:` }, ...attachments];
}
