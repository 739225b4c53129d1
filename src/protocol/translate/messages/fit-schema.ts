import { isObject, type JsonObject } from "../../openai/fields.ts";

/** Limits that the API refuses in the schema of an answer. */
const REFUSED = new Set([
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
]);

export interface FittedSchema {
  readonly schema: JsonObject;
  /** Keywords that were taken out. */
  readonly lost: readonly string[];
}

/**
 * The schema as `output_config.format` takes it: every object closed, no limits of size. Null for
 * objects of free keys, which it cannot say.
 */
export function fitSchema(schema: unknown): FittedSchema | null {
  const lost = new Set<string>();
  const fitted = fit(schema, lost);
  return isObject(fitted) ? { schema: fitted, lost: [...lost] } : null;
}

const UNFIT = Symbol("unfit");

/** Members whose values are schemas by name, so that their keys are no keywords. */
const BY_NAME = new Set(["properties", "$defs", "definitions"]);
/** Members whose values are no schemas. */
const LITERAL = new Set(["enum", "const", "default", "examples", "required"]);

function fit(schema: unknown, lost: Set<string>): unknown {
  if (Array.isArray(schema)) {
    const all = schema.map((one) => fit(one, lost));
    return all.includes(UNFIT) ? UNFIT : all;
  }
  return isObject(schema) ? fitObject(schema, lost) : schema;
}

function fitObject(schema: JsonObject, lost: Set<string>): unknown {
  const { additionalProperties, type, properties } = schema;
  if (additionalProperties === true || isObject(additionalProperties)) return UNFIT;
  const members: [string, unknown][] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (isRefused(name, value)) {
      lost.add(name);
      continue;
    }
    const fitted = fitMember(name, value, lost);
    if (fitted === UNFIT) return UNFIT;
    members.push([name, fitted]);
  }
  const closed = (type === "object" || isObject(properties)) && { additionalProperties: false };
  return { ...Object.fromEntries(members), ...closed };
}

function isRefused(name: string, value: unknown): boolean {
  return REFUSED.has(name) || (name === "minItems" && typeof value === "number" && value > 1);
}

function fitMember(name: string, value: unknown, lost: Set<string>): unknown {
  if (LITERAL.has(name)) return value;
  if (!BY_NAME.has(name) || !isObject(value)) return fit(value, lost);
  const entries = Object.entries(value).map(([key, one]) => [key, fit(one, lost)] as const);
  return entries.some(([, one]) => one === UNFIT) ? UNFIT : Object.fromEntries(entries);
}
