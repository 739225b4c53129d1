import { isFilledText, isObject, type JsonObject } from "./fields.ts";

/** Members that are repeated whole, never continued. */
const WHOLE = new Set(["role", "id", "type", "name", "format", "signature", "object"]);

/** Lists of typed parts, whose entries go on over several deltas. */
const PART_LISTS = new Set(["content", "thinking", "reasoning_details"]);

/**
 * What earlier deltas brought under `key` with what a further one brings: text goes on, lists grow,
 * objects are joined member by member, everything else is replaced. Lists are changed in place.
 */
export function joinDelta(key: string, before: unknown, value: unknown): unknown {
  if (isNothing(value)) return before ?? null;
  if (isNothing(before)) return value;
  if (typeof before === "string" && typeof value === "string") return joinText(key, before, value);
  if (PART_LISTS.has(key)) return joinParts(asParts(before), asParts(value));
  if (Array.isArray(before) && Array.isArray(value)) return append(before, value);
  return isObject(before) && isObject(value) ? joinObjects(before, value) : value;
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

export function joinObjects(before: JsonObject, value: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...before };
  for (const [key, member] of Object.entries(value)) {
    joined[key] = joinDelta(key, joined[key], member);
  }
  return joined;
}

function joinText(key: string, before: string, value: string): string {
  if (!WHOLE.has(key)) return before + value;
  return value === "" ? before : value;
}

/** Mistral sends a list while the model thinks and plain text afterwards. */
function asParts(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return isFilledText(content) ? [{ type: "text", text: content }] : [];
}

function joinParts(before: unknown[], value: readonly unknown[]): unknown[] {
  for (const part of value) {
    const last = before.at(-1);
    if (isObject(last) && isObject(part) && isSameEntry(last, part)) {
      before[before.length - 1] = joinObjects(last, part);
    } else before.push(part);
  }
  return before;
}

function isSameEntry(last: JsonObject, part: JsonObject): boolean {
  const { type, index, id } = part;
  const isSameId = last["id"] === id || (last["id"] ?? null) === null || (id ?? null) === null;
  return isFilledText(type) && last["type"] === type && last["index"] === index && isSameId;
}

function append(before: unknown[], value: readonly unknown[]): unknown[] {
  for (const entry of value) before.push(entry);
  return before;
}
