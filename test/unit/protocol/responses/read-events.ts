import { type JsonObject, objectOf, parseJson } from "../../../../src/protocol/openai/fields.ts";
import type { ResponseContext } from "../../../../src/protocol/responses/response-object.ts";
import type { ResponsesTools } from "../../../../src/protocol/responses/response-tools.ts";
import { createResponsesDecoder } from "../../../../src/protocol/translate/responses-stream/decoder.ts";
import { createResponsesEncoder } from "../../../../src/protocol/translate/responses-stream/encoder.ts";
import { framesOf } from "../openai/read-stream.ts";

export const PARTS = { seed: "s1", created_at: 1_790_000_000_000, model: "asked" };

/** The tools of the client in these tests: a function, a free-text tool, one in a namespace. */
const TOOLS: ResponsesTools = new Map([
  ["run", { kind: "function", name: "run", namespace: null }],
  ["apply_patch", { kind: "custom", name: "apply_patch", namespace: null }],
  ["agents__spawn", { kind: "function", name: "spawn", namespace: "agents" }],
]);

export function contextOf(request: JsonObject = {}): ResponseContext {
  return {
    id: "resp_s1",
    created_at: PARTS.created_at,
    request: { model: "asked", ...request },
    tools: TOOLS,
  };
}

export const KEEPS_REASONING = { include: ["reasoning.encrypted_content"] };

export function chunk(delta: object, finish_reason: string | null = null): JsonObject {
  return { id: "c", model: "served", choices: [{ index: 0, delta, finish_reason }] };
}

export function usageChunk(usage: object): JsonObject {
  return { id: "c", model: "served", choices: [], usage };
}

/** A fragment of a call, the first if it has an id. */
export function fragment(index: number, text: string, first?: { id: string; name: string }) {
  const called = first ? { name: first.name, arguments: text } : { arguments: text };
  const about = first && { id: first.id, type: "function" };
  return chunk({ tool_calls: [{ index, ...about, function: called }] });
}

/** The text of a stream that says these chunks. */
export function encoded(chunks: readonly JsonObject[], request: JsonObject = {}): string {
  const encoder = createResponsesEncoder(contextOf(request));
  return chunks.map((each) => encoder.push(each)).join("") + encoder.end();
}

/** The events of a stream, each checked to carry its name in both places. */
export function eventsOf(text: string): JsonObject[] {
  return framesOf(text).map(({ event, data }) => {
    const payload = objectOf(parseJson(data ?? ""));
    if (payload["type"] !== event) throw new Error(`event ${event} carries ${data}`);
    return payload;
  });
}

export function typesOf(events: readonly JsonObject[]): string[] {
  return events.map(({ type }) => String(type).replace("response.", ""));
}

/** The response that the last event of a stream carries. */
export function finalResponse(text: string): JsonObject {
  const { response } = eventsOf(text).at(-1) ?? {};
  return objectOf(response);
}

/** What a Responses stream says as chat. */
export function decoded(text: string | Uint8Array) {
  const decoder = createResponsesDecoder(PARTS);
  const steps = framesOf(text).map((frame) => decoder.read(frame));
  return {
    chunks: steps.flatMap(({ chunks }) => chunks),
    is_done: steps.some(({ is_done }) => is_done),
    errors: steps.map(({ error }) => error).filter((error) => error !== null),
  };
}

/** One event as a frame. */
export function eventFrame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
