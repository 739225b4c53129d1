import { joinBytes } from "../../../../src/protocol/json/edit.ts";
import { createStreamReader } from "../../../../src/protocol/openai/stream.ts";
import { createFramer, type Frame } from "../../../../src/protocol/sse/framer.ts";

export function framesOf(text: string | Uint8Array): Frame[] {
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const { frames } = framer.push(bytes);
  const last = framer.end();
  return last ? [...frames, last] : [...frames];
}

/** Ids of the tool calls that came without: `new-1`, `new-2`, … */
export function countedIds(): () => string {
  let made = 0;
  return () => `new-${++made}`;
}

interface ReadOptions {
  readonly dialect?: "chat" | "completions";
  readonly drop_usage?: boolean;
}

/** What a stream's text comes to: until its end marker, its first error, or its last byte. */
export function readStream(
  text: string | Uint8Array,
  { dialect = "chat", drop_usage = false }: ReadOptions = {},
) {
  const edits = new Set<string>();
  const reader = createStreamReader({
    dialect,
    drop_usage,
    newId: countedIds(),
    onEdit: (edit) => edits.add(edit),
  });
  const pieces: Uint8Array[] = [];
  let firstContent: number | null = null;
  let error: string | null = null;
  let isDone = false;
  for (const [position, frame] of framesOf(text).entries()) {
    const step = reader.read(frame);
    pieces.push(step.out);
    if (step.is_content) firstContent = position;
    ({ error, is_done: isDone } = step);
    if (isDone || error !== null) break;
  }
  const bytes = joinBytes(pieces);
  return {
    bytes,
    out: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
    edits: [...edits],
    /** Position of the frame that bears the first content. */
    firstContent,
    error,
    isDone,
    facts: reader.facts(),
  };
}

/** A frame with one chunk of one choice. */
export function chunkFrame(delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

/** A frame whose delta has these tool calls, spelled as given. */
export function callFrame(...calls: string[]): string {
  return `data: {"choices":[{"index":0,"delta":{"tool_calls":[${calls.join(",")}]}}]}\n\n`;
}

export const DONE = "data: [DONE]\n\n";
