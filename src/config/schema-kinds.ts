import { type TSchema, Type } from "@sinclair/typebox";

import { DURATION_PATTERN } from "../lib/durations.ts";
import { SIZE_PATTERN } from "../lib/sizes.ts";

/** A table of which every key is known. */
export const closed = { additionalProperties: false };
/** Of a table in a map by name: TypeBox fills defaults in only where the table has one itself. */
export const entry = { ...closed, default: {} };

/** Bounds that JSON Schema cannot say of a duration; the loader checks them. */
interface DurationBounds {
  /** Zero is meaningful. */
  readonly zero?: true;
  /** Drives no timer, so it may exceed the 24 days a timer can run. */
  readonly long?: true;
}

export const duration = (value: string, description: string, bounds: DurationBounds = {}) =>
  Type.String({
    pattern: DURATION_PATTERN,
    default: value,
    description,
    format_hint: "duration",
    ...bounds,
  });
export const durationOrOff = (value: string, description: string) =>
  Type.String({
    pattern: `${DURATION_PATTERN}|^off$`,
    default: value,
    description,
    format_hint: "duration or `off`",
  });
export const size = (value: string, description: string) =>
  Type.String({ pattern: SIZE_PATTERN, default: value, description, format_hint: "size" });
export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** `secret` keeps the value out of every message and listing; `expands` says what is replaced in it. */
export const secret = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      description,
      secret: true,
      expands: "file",
      format_hint: "text, `${VAR}` or `file:/path`",
      examples: [example],
    }),
  );
export const list = (description: string, example: string) =>
  Type.Array(Type.String(), {
    default: [],
    description,
    uniqueItems: false,
    examples: [[example]],
  });
