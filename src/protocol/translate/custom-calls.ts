import { arrayOf, type JsonObject, objectOf } from "../openai/fields.ts";
import { argumentsText } from "../openai/stream/tool-calls.ts";
import { customInput } from "./responses-stream/call-output.ts";
import type { StreamDecoder } from "./translation.ts";

/** A call of a custom tool that is still being told. */
interface CustomCall {
  /** Left out of a whole answer. */
  readonly index?: unknown;
  readonly id: unknown;
  readonly name: string;
  json: string;
}

/**
 * Gives calls of custom tools back the form in which the client declared them, where their target was
 * told of functions with one text. That text is whole only with the call: it is told at its end.
 */
export function withCustomCalls(decoder: StreamDecoder, names: ReadonlySet<string>): StreamDecoder {
  const calls = new Map<unknown, CustomCall>();

  /** What of a delta's calls goes on as it is; the others are kept. */
  function passed(fragments: readonly JsonObject[]): readonly JsonObject[] {
    return fragments.filter((fragment) => {
      const { index, id } = fragment;
      const called = objectOf(fragment["function"]);
      const { name } = called;
      if (typeof name === "string" && names.has(name))
        calls.set(index, { index, id, name, json: "" });
      const call = calls.get(index);
      if (call) call.json += argumentsText(called);
      return call === undefined;
    });
  }

  function told(choice: JsonObject): JsonObject {
    const delta = objectOf(choice["delta"]);
    const { tool_calls: fragments, ...rest } = delta;
    const others = passed(arrayOf(fragments).map(objectOf));
    const isEnd = typeof choice["finish_reason"] === "string";
    const whole = isEnd ? [...calls.values()].map(asCustom) : [];
    if (isEnd) calls.clear();
    const tool_calls = [...others, ...whole];
    return { ...choice, delta: tool_calls.length > 0 ? { ...rest, tool_calls } : rest };
  }

  return {
    read(frame) {
      const decoded = decoder.read(frame);
      const chunks = decoded.chunks.map((chunk) => {
        const choices = arrayOf(chunk["choices"]).map((choice) => told(objectOf(choice)));
        return Object.assign({}, chunk, { choices });
      });
      return { ...decoded, chunks };
    },
  };
}

/** The same for a whole completion. */
export function customCallsIn(completion: JsonObject, names: ReadonlySet<string>): JsonObject {
  const choices = arrayOf(completion["choices"]).map((value) => {
    const choice = objectOf(value);
    const message = objectOf(choice["message"]);
    const calls = arrayOf(message["tool_calls"]).map((call) => wholeCall(objectOf(call), names));
    if (calls.length === 0) return choice;
    return Object.assign({}, choice, { message: { ...message, tool_calls: calls } });
  });
  return { ...completion, choices };
}

function wholeCall(call: JsonObject, names: ReadonlySet<string>): JsonObject {
  const called = objectOf(call["function"]);
  const { name } = called;
  if (typeof name !== "string" || !names.has(name)) return call;
  return asCustom({ id: call["id"], name, json: argumentsText(called) });
}

function asCustom({ index, id, name, json }: CustomCall): JsonObject {
  const custom = { name, input: customInput(json) };
  return { ...(index !== undefined && { index }), id, type: "custom", custom };
}
