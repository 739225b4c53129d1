import { join } from "node:path";

import { joinChunks } from "../../../../src/protocol/openai/aggregate.ts";
import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { createFramer, type Frame } from "../../../../src/protocol/sse/framer.ts";
import { createMessagesDecoder } from "../../../../src/protocol/translate/messages-answers/decoder.ts";
import { createMessagesEncoder } from "../../../../src/protocol/translate/messages-answers/encoder.ts";
import { countedIds } from "../openai/read-stream.ts";

/** A recorded stream, kept as one event a line, in the form it has on the wire. */
export async function recorded(name: string): Promise<string> {
  const path = join(import.meta.dir, "../../../fixtures/messages", `${name}.chunks.txt`);
  const lines = (await Bun.file(path).text()).trim().split("\n");
  return lines.map((line) => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`).join("");
}

/** Events as a stream. */
export function streamOf(...events: readonly JsonObject[]): string {
  return events
    .map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

/** The frames of a stream that arrives cut at these positions, in bytes. */
export function framesAt(text: string, cuts: readonly number[]): Frame[] {
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const bytes = new TextEncoder().encode(text);
  const places = [
    ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  const frames = places.flatMap((end, at) =>
    Array.from(framer.push(bytes.subarray(places[at - 1] ?? 0, end)).frames),
  );
  const last = framer.end();
  return last ? [...frames, last] : frames;
}

/** What a Messages stream comes to as chat. */
export function decoded(text: string, cuts: readonly number[] = []) {
  const losses: string[] = [];
  const decoder = createMessagesDecoder({
    id: "chatcmpl-own",
    model: "own-model",
    created: 1_700_000_000,
    newId: countedIds(),
    onLoss: (name) => losses.push(name),
  });
  const chunks: JsonObject[] = [];
  let error: string | null = null;
  let isDone = false;
  for (const frame of framesAt(text, cuts)) {
    const step = decoder.read(frame);
    chunks.push(...step.chunks);
    ({ error, is_done: isDone } = step);
    if (isDone || error !== null) break;
  }
  return { chunks, losses, error, isDone, completion: joinChunks(structuredClone(chunks), "chat") };
}

/** What chat chunks come to as a Messages stream. */
export function encoded(chunks: readonly JsonObject[]) {
  const losses: string[] = [];
  const encoder = createMessagesEncoder({
    id: "msg_own",
    model: "own-model",
    newId: countedIds(),
    onLoss: (name) => losses.push(name),
  });
  const text = chunks.map((each) => encoder.push(each)).join("") + encoder.end();
  return { text, losses, events: eventsOf(text) };
}

/** The payloads of a stream. */
function eventsOf(text: string): JsonObject[] {
  return framesAt(text, []).map(({ data = "null" }) => JSON.parse(data));
}

/** A chunk of choice 0. */
export function chunk(delta: JsonObject, finish_reason: string | null = null): JsonObject {
  return { id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] };
}

/** A chunk with one fragment of a tool call. */
export function callChunk(
  index: number,
  argumentsPiece: string,
  first: JsonObject = {},
): JsonObject {
  const { name, ...rest } = first;
  const called = { ...(name !== undefined && { name }), arguments: argumentsPiece };
  return chunk({ tool_calls: [{ index, ...rest, function: called }] });
}
