import { isObject, type JsonObject } from "../../protocol/openai/fields.ts";

/**
 * Keywords that are not judged: a pattern may take time without end, uniqueness time by the square,
 * and formats are read differently by every validator.
 */
const UNJUDGED = new Set(["pattern", "format", "uniqueItems", "patternProperties"]);

/** Where a part that got looser makes the whole stricter. */
const INVERTING = new Set(["not", "if", "then", "else", "contains", "maxContains"]);

/** Closed to members that only `patternProperties` would allow. */
const CLOSING = new Set(["additionalProperties", "unevaluatedProperties"]);

/** Keywords whose members are named by the schema's author: each value is a schema. */
const MAPS = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);

/** Keywords that hold values, not schemas. */
const VALUES = new Set(["enum", "const", "default", "examples", "required", "type"]);

/**
 * A copy of a client's schema without what is not judged; it accepts at least what the original does.
 * Throws on one nested beyond the stack.
 */
export function loosenSchema(schema: JsonObject): JsonObject {
  let hasUnjudged = false;
  const onUnjudged = () => {
    hasUnjudged = true;
  };
  const copy = strip(schema, UNJUDGED, onUnjudged);
  return hasUnjudged ? strip(copy, INVERTING, () => undefined) : copy;
}

function strip(schema: JsonObject, dropped: ReadonlySet<string>, onDrop: () => void): JsonObject {
  const isPatterned = "patternProperties" in schema;
  const members = Object.entries(schema).filter(([key]) => {
    const isDropped = dropped.has(key) || (isPatterned && CLOSING.has(key));
    if (isDropped) onDrop();
    return !isDropped;
  });
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    return isObject(value) ? strip(value, dropped, onDrop) : value;
  };
  const copyMap = (map: JsonObject) =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, copy(value)]));
  return Object.fromEntries(
    members.map(([key, value]) => {
      // With a looser branch more than one may fit.
      const name = key === "oneOf" && dropped === INVERTING ? "anyOf" : key;
      if (VALUES.has(key)) return [key, value];
      return [name, MAPS.has(key) && isObject(value) ? copyMap(value) : copy(value)];
    }),
  );
}
