import { isObject, type JsonObject } from "../../../protocol/openai/fields.ts";

const MAX_DEPTH = 16;
/** A schema that refers to itself more than once grows with every level. */
const MAX_VALUES = 2000;

/**
 * A value that fits a JSON schema: strings say `text`, numbers are the smallest allowed, every
 * listed property is present. Patterns and formats are not met; what recursion leaves open is null.
 */
export function sampleSchema(schema: unknown, text: string): unknown {
  return sample(schema, { root: schema, text, depth: 0, budget: { left: MAX_VALUES } });
}

interface Place {
  readonly root: unknown;
  readonly text: string;
  readonly depth: number;
  readonly budget: { left: number };
}

function sample(schema: unknown, place: Place): unknown {
  if (!isObject(schema)) return place.text;
  if (place.depth > MAX_DEPTH || place.budget.left-- <= 0) return null;
  const fixed = fixedValue(schema);
  if (fixed !== undefined) return fixed.value;
  const inner = { ...place, depth: place.depth + 1 };
  const other = referenced(schema, place.root);
  if (other !== undefined) return sample(other, inner);
  return sampleType(schema, inner);
}

/** A value the schema spells out itself. */
function fixedValue(schema: JsonObject): { value: unknown } | undefined {
  if (Object.hasOwn(schema, "const")) return { value: schema["const"] };
  for (const name of ["enum", "examples"]) {
    const values = schema[name];
    if (Array.isArray(values) && values.length > 0) return { value: values[0] };
  }
  return Object.hasOwn(schema, "default") ? { value: schema["default"] } : undefined;
}

function referenced(schema: JsonObject, root: unknown): unknown {
  const reference = schema["$ref"];
  if (typeof reference === "string") return resolvePointer(reference, root) ?? {};
  for (const name of ["anyOf", "oneOf", "allOf"]) {
    const choices = schema[name];
    if (Array.isArray(choices) && choices.length > 0) return choices[0];
  }
  return undefined;
}

function resolvePointer(reference: string, root: unknown): unknown {
  let place = root;
  for (const part of reference.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(place) || !Object.hasOwn(place, name)) return undefined;
    place = place[name];
  }
  return place;
}

function sampleType(schema: JsonObject, place: Place): unknown {
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  const type: unknown = types.find((name) => name !== "null") ?? types[0];
  switch (type) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
    case "number":
      return smallestNumber(schema);
    case "array":
      return Array.from({ length: Math.min(numberOf(schema["minItems"]) ?? 1, 64) }, () =>
        sample(schema["items"], place),
      );
    case "string":
      return sampleString(schema, place.text);
    default:
      return type === "object" || isObject(schema["properties"])
        ? sampleObject(schema["properties"], place)
        : place.text;
  }
}

function sampleObject(properties: unknown, place: Place): unknown {
  if (!isObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, sample(schema, place)]),
  );
}

function sampleString(schema: JsonObject, text: string): string {
  const longest = numberOf(schema["maxLength"]) ?? text.length;
  const shortest = Math.min(numberOf(schema["minLength"]) ?? 0, 4096);
  return text.slice(0, longest).padEnd(shortest, ".");
}

function smallestNumber(schema: JsonObject): number {
  const least = numberOf(schema["minimum"]);
  if (least !== undefined) return least;
  const above = numberOf(schema["exclusiveMinimum"]);
  if (above !== undefined) return above + 1;
  return Math.min(1, numberOf(schema["maximum"]) ?? 1);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
