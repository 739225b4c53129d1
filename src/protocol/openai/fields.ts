/** A JSON object of unknown shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const NO_MEMBERS: JsonObject = Object.freeze({});
const NO_ENTRIES: readonly unknown[] = Object.freeze([]);

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NO_MEMBERS;
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NO_ENTRIES;
}

/** The parsed text, or undefined if it is no JSON; `null` is JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const VISIBLE = /[^\s\u00AD\u180E\u200B-\u200F\u2060-\u2064\uFEFF]/u;

/** Whether a person would see anything: white space, zero-width characters and BOM do not count. */
export function isVisible(text: unknown): boolean {
  return typeof text === "string" && VISIBLE.test(text);
}

export function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
