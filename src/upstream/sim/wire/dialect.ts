import { assertNever } from "../../../lib/assert-never.ts";
import type { JsonObject } from "../../../protocol/openai/fields.ts";
import type { Ask } from "../ask.ts";
import type { Delta, FinishReason, Speech, ToolCall } from "../speech/speech.ts";

/** A finished choice. */
export interface Said {
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly calls: readonly ToolCall[];
  readonly finish: FinishReason;
  readonly tokens: Tally;
}

/** Tokens of one or more choices. */
export interface Tally {
  readonly output: number;
  readonly reasoning: number;
}

/** How an endpoint writes answers: the members of OpenAI's JSON in OpenAI's order. */
export interface Wire {
  /** First chunk of a choice; null where the endpoint has none. */
  opening(choice: number): JsonObject | null;
  delta(choice: number, delta: Delta): JsonObject;
  ending(choice: number, finish: FinishReason | "error"): JsonObject;
  usage(tally: Tally): JsonObject;
  whole(choices: readonly Said[]): JsonObject;
}

/** What stays the same over a whole answer. */
export interface Envelope {
  readonly id: string;
  /** Epoch seconds. */
  readonly created: number;
  readonly model: string;
}

const FINGERPRINT = { system_fingerprint: "fp_simulator" };

export function wireOf(ask: Ask, envelope: Envelope): Wire {
  return ask.endpoint === "chat" ? chatWire(ask, envelope) : completionsWire(ask, envelope);
}

/** With `include_usage` every chunk but the last says `usage: null`. */
function chunkOf(ask: Ask, head: JsonObject) {
  return (choices: readonly JsonObject[]): JsonObject => ({
    ...head,
    ...FINGERPRINT,
    choices,
    ...(ask.include_usage && { usage: null }),
  });
}

function headOf({ id, created, model }: Envelope, object: string): JsonObject {
  return { id, object, created, model };
}

function chatWire(ask: Ask, envelope: Envelope): Wire {
  const chunk = chunkOf(ask, headOf(envelope, "chat.completion.chunk"));
  const change = (index: number, delta: JsonObject, finish_reason: string | null = null) =>
    chunk([{ index, delta, logprobs: null, finish_reason }]);
  return {
    opening: (choice) => change(choice, { role: "assistant", content: "", refusal: null }),
    delta: (choice, delta) => change(choice, chatDelta(delta)),
    ending: (choice, finish) => change(choice, {}, finish),
    usage: (tally) => ({ ...chunk([]), usage: usageOf(ask, tally) }),
    whole: (choices) => ({
      ...headOf(envelope, "chat.completion"),
      choices: choices.map((said, index) => ({
        index,
        message: chatMessage(said),
        logprobs: null,
        finish_reason: said.finish,
      })),
      usage: usageOf(ask, totalOf(choices)),
      service_tier: "default",
      ...FINGERPRINT,
    }),
  };
}

function chatDelta(delta: Delta): JsonObject {
  switch (delta.kind) {
    case "text":
      return { content: delta.text };
    case "reasoning":
      return { reasoning_content: delta.text };
    case "refusal":
      return { refusal: delta.text };
    case "call":
      return { tool_calls: [{ index: delta.index, ...callOf(delta.call) }] };
    case "arguments":
      return { tool_calls: [{ index: delta.index, function: { arguments: delta.text } }] };
    default:
      return assertNever(delta);
  }
}

function callOf({ id, name, arguments: text }: ToolCall): JsonObject {
  return { id, type: "function", function: { name, arguments: text } };
}

function chatMessage({ text, reasoning, refusal, calls }: Said): JsonObject {
  return {
    role: "assistant",
    content: calls.length > 0 || refusal !== "" ? null : text,
    refusal: refusal === "" ? null : refusal,
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(callOf) }),
    annotations: [],
  };
}

function completionsWire(ask: Ask, envelope: Envelope): Wire {
  const chunk = chunkOf(ask, headOf(envelope, "text_completion"));
  const change = (index: number, text: string, finish_reason: string | null = null) =>
    chunk([{ text, index, logprobs: null, finish_reason }]);
  return {
    opening: () => null,
    delta: (choice, delta) => change(choice, completionText(delta)),
    ending: (choice, finish) => change(choice, "", finish),
    usage: (tally) => ({ ...chunk([]), usage: usageOf(ask, tally) }),
    whole: (choices) => ({
      ...headOf(envelope, "text_completion"),
      ...FINGERPRINT,
      choices: choices.map((said, index) => ({
        text: said.text + said.refusal,
        index,
        logprobs: null,
        finish_reason: said.finish,
      })),
      usage: usageOf(ask, totalOf(choices)),
    }),
  };
}

/** Completions have one field for all; what is neither answer nor refusal has no place in it. */
function completionText(delta: Delta): string {
  return delta.kind === "text" || delta.kind === "refusal" ? delta.text : "";
}

export function tallyOf(deltas: Tally, delta: Delta): Tally {
  const reasoning = deltas.reasoning + (delta.kind === "reasoning" ? 1 : 0);
  return { output: deltas.output + 1, reasoning };
}

function totalOf(choices: readonly Said[]): Tally {
  const sum = (pick: (tally: Tally) => number) =>
    choices.reduce((total, { tokens }) => total + pick(tokens), 0);
  return { output: sum((tally) => tally.output), reasoning: sum((tally) => tally.reasoning) };
}

function usageOf({ prompt_tokens }: Ask, { output, reasoning }: Tally): JsonObject {
  return {
    prompt_tokens,
    completion_tokens: output,
    total_tokens: prompt_tokens + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

/** Everything one choice says, for an answer that is not streamed; at most `max_tokens`. */
export function listen(speech: Speech, max_tokens: number): Said {
  const text = { text: "", reasoning: "", refusal: "" };
  const calls: ToolCall[] = [];
  let tokens: Tally = { output: 0, reasoning: 0 };
  for (let next = speech.next(); ; next = speech.next()) {
    if (next.done === true) return { ...text, calls, finish: next.value, tokens };
    if (tokens.output >= max_tokens) return { ...text, calls, finish: "length", tokens };
    const delta = next.value;
    tokens = tallyOf(tokens, delta);
    if (delta.kind === "call") calls.push(delta.call);
    else if (delta.kind === "arguments") extendCall(calls, delta.text);
    else text[delta.kind] += delta.text;
  }
}

/** The pieces of a call follow it directly. */
function extendCall(calls: ToolCall[], text: string): void {
  const call = calls.pop();
  if (call !== undefined) calls.push({ ...call, arguments: call.arguments + text });
}
