import { arrayOf, isObject, type JsonObject } from "../../protocol/openai/fields.ts";

/** Schemas that apply to the same value. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];
/** Schemas that apply to each member or element. */
const BELOW = [
  "items",
  "prefixItems",
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
];

/**
 * An upper bound of the schema evaluations along one way from the root of a value of `depth` levels to
 * a leaf. Nested references can make it grow without bound: then it is infinite.
 */
export function costPerLeaf(root: JsonObject, depth: number): number {
  const known = new Map<JsonObject, Map<number, number>>();

  function cost(schema: unknown, levels: number): number {
    if (!isObject(schema)) return 1;
    if (isFollowedElsewhere(schema)) return Number.POSITIVE_INFINITY;
    const byLevel = known.get(schema) ?? new Map<number, number>();
    known.set(schema, byLevel);
    const before = byLevel.get(levels);
    if (before !== undefined) return before;
    // While it is worked out, it counts as endless: only a reference in a circle asks for it.
    byLevel.set(levels, Number.POSITIVE_INFINITY);
    const sum = 1 + inPlace(schema, levels) + below(schema, levels - 1);
    byLevel.set(levels, sum);
    return sum;
  }

  /** References that only the validator can follow. */
  function isFollowedElsewhere(schema: JsonObject): boolean {
    if (schema !== root && ("$id" in schema || "id" in schema)) return true;
    if ("$dynamicRef" in schema || "$recursiveRef" in schema) return true;
    return "$ref" in schema && resolve(root, schema["$ref"]) === undefined;
  }

  const total = (schemas: readonly unknown[], levels: number) =>
    schemas.reduce<number>((sum, schema) => sum + cost(schema, levels), 0);

  function inPlace(schema: JsonObject, levels: number): number {
    const direct = IN_PLACE.flatMap((key) => schemasOf(schema[key]));
    const reference = schemasOf(resolve(root, schema["$ref"]));
    const dependent = ["dependentSchemas", "dependencies"].flatMap((key) => valuesOf(schema[key]));
    return total([...direct, ...dependent, ...reference], levels);
  }

  function below(schema: JsonObject, levels: number): number {
    if (levels < 0) return 0;
    const named = valuesOf(schema["properties"]).map((one) => cost(one, levels));
    return (
      Math.max(0, ...named) +
      total(
        BELOW.flatMap((key) => schemasOf(schema[key])),
        levels,
      )
    );
  }

  return cost(root, depth);
}

function schemasOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? [value] : [];
}

function valuesOf(map: unknown): readonly unknown[] {
  return isObject(map) ? Object.values(map) : [];
}

/** What a reference within the schema points to; anchors and other documents are not followed. */
function resolve(root: JsonObject, reference: unknown): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  const steps = reference.slice(1).split("/").slice(1);
  return steps.reduce<unknown>((value, step) => {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    return isObject(value) ? value[name] : arrayOf(value)[Number(name)];
  }, root);
}

/** Leaves of a value, and its levels below the root. */
export function shapeOf(value: unknown): { readonly leaves: number; readonly depth: number } {
  let leaves = 0;
  let depth = 0;
  const left: { value: unknown; level: number }[] = [{ value, level: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: current, level } = next;
    depth = Math.max(depth, level);
    const members = typeof current === "object" && current !== null ? Object.values(current) : [];
    if (members.length === 0) leaves++;
    for (const member of members) left.push({ value: member, level: level + 1 });
  }
  return { leaves, depth };
}
