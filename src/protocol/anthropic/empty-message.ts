import type { JsonObject } from "../openai/fields.ts";

interface Opening {
  readonly id: string;
  readonly model: string;
  readonly usage: JsonObject;
}

/** A message as its stream opens: nothing is said yet, and nothing is known of its end. */
export function emptyMessage({ id, model, usage }: Opening): JsonObject {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
}
