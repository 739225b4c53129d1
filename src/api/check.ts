import { KindGuard, type Static, type TObject, type TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";

import { expectation } from "../config/words.ts";
import { quoted, type Refusal } from "./refusal.ts";

export type Checked<T extends TSchema> =
  | { readonly kind: "value"; readonly value: Static<T> }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/**
 * Checks foreign input against a schema. A schema may say in `expected` what it wants, for the
 * message; the value itself is never repeated.
 */
export function check<T extends TSchema>(schema: T, value: unknown): Checked<T> {
  if (Value.Check(schema, value)) return { kind: "value", value };
  const error = tellingError(schema, value);
  const param = error ? paramOf(error.path) : null;
  const message = error ? describe(error, param ?? "", schema) : "The request does not fit.";
  return { kind: "refused", refusal: { code: "invalid_request", message, param: param || null } };
}

const MAX_ERRORS = 20;

/** The first error, or a misspelt name where there is one: it says more than what it left missing. */
function tellingError(schema: TSchema, value: unknown): ValueError | undefined {
  // A stranger's long list may be wrong at every place.
  const errors = [...Iterator.from(Value.Errors(schema, value)).take(MAX_ERRORS)];
  return errors.find(({ type }) => type === ValueErrorType.ObjectAdditionalProperties) ?? errors[0];
}

/** `/messages/0/role` is `messages[0].role`, as OpenAI spells it. */
function paramOf(path: string): string {
  const parts = path.split("/").slice(1);
  const names = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names
    .map((name, index) => (/^\d+$/.test(name) ? `[${name}]` : `${index > 0 ? "." : ""}${name}`))
    .join("");
}

function describe(error: ValueError, param: string, root: TSchema): string {
  const name = param === "" ? "The body" : quoted(param);
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const known = Object.keys(isObjectSchema(root) ? root.properties : {});
    return `${name} is not known here; known are ${known.map((key) => `\`${key}\``).join(", ")}.`;
  }
  const wanted = wantedBy(error.schema);
  if (error.type === ValueErrorType.ObjectRequiredProperty) {
    return wanted === undefined ? `${name} is missing.` : `${name} is missing: ${wanted}.`;
  }
  return wanted === undefined ? `${name} does not fit.` : `${name} does not fit: ${wanted}.`;
}

function wantedBy(schema: TSchema): string | undefined {
  const expected: unknown = schema["expected"];
  if (typeof expected === "string") return expected;
  if (KindGuard.IsInteger(schema) || KindGuard.IsNumber(schema) || KindGuard.IsBoolean(schema)) {
    return `it must be ${expectation(schema)}`;
  }
  if (!KindGuard.IsString(schema)) return undefined;
  const { minLength = 0, maxLength } = schema;
  return maxLength === undefined
    ? `it must be a text${minLength > 0 ? " that is not empty" : ""}`
    : `it must be a text of ${minLength} to ${maxLength} characters`;
}

function isObjectSchema(schema: TSchema): schema is TObject {
  return schema["type"] === "object" && "properties" in schema;
}

/** The query string against a closed schema; each parameter at most once, numbers converted. */
export function checkQuery<T extends TObject>(schema: T, request: Request): Checked<T> {
  const { searchParams } = new URL(request.url, "http://localhost");
  const given: Record<string, unknown> = {};
  for (const [name, text] of searchParams) {
    if (Object.hasOwn(given, name)) {
      const message = `${quoted(name)} is given more than once.`;
      return { kind: "refused", refusal: { code: "invalid_request", message, param: name } };
    }
    Object.defineProperty(given, name, { value: text, enumerable: true });
  }
  return check(schema, withNumbers(schema, given));
}

function withNumbers(schema: TObject, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const wanted = Object.hasOwn(schema.properties, name) && schema.properties[name]?.["type"];
      const isNumber =
        wanted === "integer" && typeof text === "string" && /^-?\d{1,15}$/.test(text);
      return [name, isNumber ? Number(text) : text];
    }),
  );
}
