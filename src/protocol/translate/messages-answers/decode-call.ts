import type { CallState } from "../../anthropic/stop-reason.ts";
import { createJsonProgress } from "../../json/progress.ts";
import { isFilledText, type JsonObject } from "../../openai/fields.ts";
import { argumentsText } from "../../openai/stream/tool-calls.ts";

/** A tool call that a block has opened. */
export interface OpenCall {
  readonly kind: "call";
  /** Among the calls of the answer. */
  readonly index: number;
  /** What the block opened with; used if no delta brings anything. */
  readonly input: unknown;
  readonly progress: ReturnType<typeof createJsonProgress>;
  is_open: boolean;
}

/** The tool calls of one message as deltas of chat. */
export function createCallDecoder(newId: () => string) {
  const calls: OpenCall[] = [];

  function fragment({ index, progress }: OpenCall, text: string): JsonObject[] {
    if (text === "") return [];
    progress.feed(text);
    return [{ tool_calls: [{ index, function: { arguments: text } }] }];
  }

  /** A call that said nothing has what its block opened with, or no arguments at all. */
  function close(call: OpenCall): JsonObject[] {
    if (!call.is_open) return [];
    call.is_open = false;
    if (call.progress.state() !== "nothing") return [];
    const text = argumentsText({ arguments: call.input });
    return fragment(call, text.trim() === "" ? "{}" : text);
  }

  return {
    open({ id, name, input }: JsonObject): { readonly call: OpenCall; readonly delta: JsonObject } {
      const index = calls.length;
      const progress = createJsonProgress();
      const call: OpenCall = { kind: "call", index, input, progress, is_open: true };
      calls.push(call);
      const called = { name: typeof name === "string" ? name : "", arguments: "" };
      const first = { index, id: isFilledText(id) ? id : newId(), type: "function" };
      return { call, delta: { tool_calls: [{ ...first, function: called }] } };
    },

    /** `piece` is text, or an object where a sender does not cut it. */
    argue: (call: OpenCall, piece: unknown): JsonObject[] =>
      fragment(call, argumentsText({ arguments: piece })),

    close,
    closeAll: (): JsonObject[] => calls.flatMap(close),

    state(): CallState {
      if (calls.length === 0) return "none";
      return calls.some(({ progress }) => progress.state() === "open") ? "broken" : "complete";
    },
  };
}
