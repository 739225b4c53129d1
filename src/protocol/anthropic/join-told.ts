import type { JsonObject } from "../openai/fields.ts";

/** Members told later replace those told before, as counts do, which are totals; null says nothing. */
export function joinTold(before: JsonObject, update: JsonObject): JsonObject {
  const told = Object.entries(update).filter(([, value]) => value !== null && value !== undefined);
  return told.length === 0 ? before : { ...before, ...Object.fromEntries(told) };
}
