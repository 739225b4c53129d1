import { KindGuard, type TSchema, type TString } from "@sinclair/typebox";

import { quote } from "../address/spec-fault.ts";

/** What a value of this schema is, in words: `a whole number from 0 to 65535`. */
export function expectation(schema: TSchema): string {
  if (KindGuard.IsString(schema)) return textExpectation(schema);
  if (KindGuard.IsInteger(schema)) return `a whole number${rangeOf(schema)}`;
  if (KindGuard.IsNumber(schema)) return `a number${rangeOf(schema)}`;
  if (KindGuard.IsBoolean(schema)) return "true or false";
  if (KindGuard.IsArray(schema)) return 'a list of texts, such as `["a", "b"]`';
  if (schema["format_hint"] === "text, number, true, false or list of texts") {
    return "a text, a number, true, false or a list of texts";
  }
  const choices = choicesOf(schema);
  if (choices.length > 0) return `one of ${choices.map((choice) => `\`${choice}\``).join(", ")}`;
  return "a table";
}

function textExpectation(schema: TString): string {
  const hint: unknown = schema["format_hint"];
  if (hint === "duration") return 'a duration such as `"45m"` or `"1h30m"` (units ms, s, m, h, d)';
  if (hint === "duration or `off`") return 'a duration such as `"45m"`, or `"off"`';
  if (hint === "date") return 'a day such as `"2026-11-29"`';
  if (hint === "size") return 'a size such as `"32MiB"` (units B, KB, MB, GB, KiB, MiB, GiB)';
  return schema.minLength === undefined ? "a text in quotes" : "a text that is not empty";
}

function rangeOf({ minimum, maximum }: { minimum?: number; maximum?: number }): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

/** The texts a choice allows; empty for a schema that is no choice. */
export function choicesOf(schema: TSchema): readonly string[] {
  if (KindGuard.IsLiteral(schema)) return [String(schema.const)];
  if (!KindGuard.IsUnion(schema)) return [];
  return schema.anyOf.flatMap((choice) => choicesOf(choice));
}

/** What was given instead. The value itself only where it is short and cannot be a secret. */
export function given(value: unknown, secret: boolean): string {
  if (value instanceof Date) return "a date (dates are written as texts, in quotes)";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a table";
  if (typeof value === "string") return secret ? "a text" : `the text ${quote(value)}`;
  return secret ? `a ${typeof value}` : String(value);
}
