import type { OutputExtra, OutputLine } from "./labelled-outputs.ts";
import { chat } from "./router.ts";
import { chunk, type Wire } from "./scripted-upstream.ts";

export const extraOf = ({ extra = {} }: OutputLine): OutputExtra => extra;

/** The request that a line of `inspect output` tells of. */
export function requestOf(line: OutputLine, model: string, stream: boolean): object {
  const { tools = [], response_format: format, prefill, after_tool_result } = extraOf(line);
  const { prompt = "", max_tokens } = line;
  const schema = format?.schema && { json_schema: { name: "asked", schema: format.schema } };
  return {
    ...chat(model, { stream }),
    messages: [
      { role: "user", content: prompt },
      ...(prefill === undefined ? [] : [{ role: "assistant", content: "So" }]),
      ...(after_tool_result === true ? [{ role: "tool", tool_call_id: "c", content: "done" }] : []),
    ],
    ...(typeof max_tokens === "number" && { max_tokens }),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...(format && { response_format: { type: format.type, ...schema } }),
  };
}

function toolOf(tool: unknown): unknown {
  return typeof tool === "string" ? { type: "function", function: { name: tool } } : tool;
}

/** Stands where the text's own bytes go. */
const TEXT = "TEXT-OF-THE-LINE";

/** Answers as the line tells, whole or streamed. */
export function play(wire: Wire, line: OutputLine, stream: boolean): void {
  if (stream) return playStream(wire, line);
  const message = { role: "assistant", content: TEXT, ...callsOf(line) };
  const choices = [{ index: 0, message, finish_reason: line["finish_reason"] ?? null }];
  const body = JSON.stringify({ id: "c", object: "chat.completion", choices, ...usageOf(line) });
  wire.head(200, { "content-type": "application/json", connection: "close" });
  wire.write(filled(body, textOf(line)));
  wire.end();
}

function playStream(wire: Wire, line: OutputLine): void {
  const { stream_done: isDone = true } = extraOf(line);
  const finish = typeof line["finish_reason"] === "string" ? line["finish_reason"] : null;
  const frame = chunk({ content: TEXT });
  wire.sse();
  wire.write(chunk({ role: "assistant", content: "", ...callsOf(line) }));
  for (const piece of piecesOf(line)) wire.write(filled(frame, piece));
  if (finish !== null) wire.write(chunk({}, finish));
  const usage = usageOf(line);
  if (usage) wire.write(`data: ${JSON.stringify({ choices: [], ...usage })}\n\n`);
  if (isDone) wire.write("data: [DONE]\n\n");
  wire.end();
}

function callsOf(line: OutputLine): object {
  const { tool_calls: calls } = extraOf(line);
  const made = calls ?? (line["has_tool_calls"] === true ? [{ name: "f", arguments: "{}" }] : []);
  if (made.length === 0) return {};
  return {
    tool_calls: made.map((call, index) => ({
      index,
      id: `c${index}`,
      type: "function",
      function: call,
    })),
  };
}

function usageOf(line: OutputLine): { usage: object } | undefined {
  const { completion_tokens, reasoning_tokens } = extraOf(line);
  if (completion_tokens === undefined && reasoning_tokens === undefined) return undefined;
  const details = reasoning_tokens !== undefined && {
    completion_tokens_details: { reasoning_tokens },
  };
  return { usage: { prompt_tokens: 1, completion_tokens, ...details } };
}

function textOf({ completion = "", completion_b64: encoded }: OutputLine): Uint8Array {
  return encoded === undefined
    ? new TextEncoder().encode(completion)
    : Uint8Array.fromBase64(encoded);
}

/** Bytes that need not be text go in one piece, text in pieces of a few characters. */
function piecesOf(line: OutputLine): Uint8Array[] {
  if (line.completion_b64 !== undefined) return [textOf(line)];
  const pieces = (line.completion ?? "").match(/[^]{1,7}/gu) ?? [];
  return pieces.map((piece) => new TextEncoder().encode(piece));
}

/** The JSON with the bytes in the place of its text. */
function filled(json: string, bytes: Uint8Array): Uint8Array {
  const [before = "", after = ""] = json.split(TEXT);
  return Buffer.concat([Buffer.from(before), escaped(bytes), Buffer.from(after)]);
}

/** What JSON wants escaped is ASCII; all else may be any bytes. */
function escaped(bytes: Uint8Array): Buffer {
  const pieces = [...bytes].map((byte) => {
    const isPlain = byte >= 0x20 && byte !== 0x22 && byte !== 0x5c;
    if (isPlain) return Buffer.from([byte]);
    return Buffer.from(JSON.stringify(String.fromCharCode(byte)).slice(1, -1));
  });
  return Buffer.concat(pieces);
}
