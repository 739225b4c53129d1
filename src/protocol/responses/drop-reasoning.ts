import { type JsonObject, objectOf } from "../openai/fields.ts";
import { isPacked } from "./packed-reasoning.ts";

/** Whose reasoning goes: what the router packed for another vendor, or all there is. */
export type DroppedReasoning = "packed" | "all";

/**
 * The `input` that a provider with a Responses API is to get: it refuses reasoning that it did not
 * encrypt itself. Null if there is nothing to leave out.
 */
export function dropReasoning(input: unknown, which: DroppedReasoning): readonly unknown[] | null {
  if (!Array.isArray(input)) return null;
  const kept = input.filter((entry) => !isDropped(objectOf(entry), which));
  return kept.length === input.length ? null : kept;
}

function isDropped({ type, encrypted_content: text }: JsonObject, which: DroppedReasoning) {
  if (type !== "reasoning") return false;
  return which === "all" || (typeof text === "string" && isPacked(text));
}
