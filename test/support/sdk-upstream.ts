import { chunk, completion, type SeenRequest, type Wire } from "./scripted-upstream.ts";

const ROLE = chunk({ role: "assistant", content: "" });
const DONE = "data: [DONE]\n\n";

const opened = (index: number, id: string, text: string | null = "") =>
  ({ index, id, type: "function", function: { name: "weather", arguments: text } }) as const;
const more = (index: number, text: string) => ({ index, function: { arguments: text } });
const calls = (...tool_calls: readonly object[]) => chunk({ tool_calls });

/** What two calls of `weather`, for Oslo and for Rome, look like on the wire, each vendor its way. */
export const TOOL_STREAMS: Readonly<Record<string, readonly string[]>> = {
  "whole-calls": [
    calls(opened(0, "call_o", '{"city":"Oslo"}'), opened(1, "call_r", '{"city":"Rome"}')),
    chunk({}, "tool_calls"),
  ],
  "in-fragments": [
    calls(opened(0, "call_o")),
    ...Array.from('{"city":"Oslo"}').map((letter) => calls(more(0, letter))),
    calls(opened(1, "call_r")),
    ...Array.from('{"city":"Rome"}').map((letter) => calls(more(1, letter))),
    chunk({}, "tool_calls"),
  ],
  interleaved: [
    calls(opened(0, "call_o"), opened(1, "call_r")),
    calls(more(1, '{"city":'), more(0, '{"ci')),
    calls(more(0, 'ty":"Oslo"}'), more(1, '"Rome"}')),
    chunk({}, "tool_calls"),
  ],
  "one-index-for-both": [
    calls(opened(0, "call_o", '{"city":"Oslo"}')),
    calls(opened(0, "call_r", '{"city":"Rome"}')),
    chunk({}, "stop"),
  ],
  "no-index": [
    calls({ ...opened(0, "call_o", '{"city":"Oslo"}'), index: undefined }),
    calls({ ...opened(0, "call_r", '{"city":"Rome"}'), index: undefined }),
    chunk({}, "tool_calls"),
  ],
  "null-arguments-first": [
    calls(opened(0, "call_o", null), opened(1, "call_r", null)),
    calls(more(0, '{"city":"Oslo"}'), more(1, '{"city":"Rome"}')),
    chunk({}, "tool_calls"),
  ],
};

/** Exact in 32 bits, so that a round trip through base64 changes nothing. */
export const VECTOR = [0.25, -0.5, 1.5, 3];

const inBase64 = (vector: readonly number[]) =>
  Buffer.from(Float32Array.from(vector).buffer).toString("base64");

function embeddings(vector: unknown): object {
  const data = [0, 1].map((index) => ({ object: "embedding", index, embedding: vector }));
  return { object: "list", data, model: "m", usage: { prompt_tokens: 2, total_tokens: 2 } };
}

/** Plays the vendor whose model a request names. */
export function playVendor(wire: Wire, { body, method }: SeenRequest): void {
  if (method === "GET") return wire.json({ object: "list", data: [] });
  const { model } = JSON.parse(new TextDecoder().decode(body));
  if (model === "floats-only") return wire.json(embeddings(VECTOR));
  if (model === "base64-only") return wire.json(embeddings(inBase64(VECTOR)));
  if (model === "json") return wire.json(completion('{"city":"Oslo"}'));
  if (model === "silent") return;
  wire.sse();
  if (model === "endless") return wire.write(ROLE + chunk({ content: "first" }));
  if (model === "broken") {
    const error = { message: "boom", type: "server_error", param: null, code: null };
    wire.write(`${ROLE}${chunk({ content: "half" })}data: ${JSON.stringify({ error })}\n\n${DONE}`);
    return wire.end();
  }
  wire.write(ROLE + (TOOL_STREAMS[model] ?? []).join("") + DONE);
  wire.end();
}
