import { type TSchema, Type } from "@sinclair/typebox";

/**
 * Later versions may add fields at every level; they stay in the file when it is rewritten. A field
 * with a default reads as that where it is missing or makes no sense; without one the file is damaged.
 */
export const open = { additionalProperties: true };
export const nullable = <T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()], { default: null });
export const instant = Type.Integer({ minimum: 0 });
export const text = Type.String();
export const choices = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>(Type.Union(words.map((word) => Type.Literal(word))));
