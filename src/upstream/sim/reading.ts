import { arrayOf } from "../../protocol/openai/fields.ts";
import { badRequest, type Problem } from "./errors.ts";

export type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** A body member with the wrong type; never leaves `reading`. */
export class BadMember extends Error {
  readonly param: string;
  constructor(param: string, message: string) {
    super(message);
    this.name = "BadMember";
    this.param = param;
  }
}

/** Runs a reader of a request body; its first `BadMember` becomes the 400 that names it. */
export function reading<T>(read: () => T): Read<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof BadMember)) throw error;
    return { ok: false, problem: badRequest(error.message, error.param) };
  }
}

/** A whole number from 1 to `max`, or `fallback` where the member is missing or null. */
export function wholeNumber<T>(value: unknown, param: string, { max, fallback }: WholeNumber<T>) {
  if (value === undefined || value === null) return fallback;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= max) {
    return value;
  }
  throw new BadMember(param, `\`${param}\` must be a whole number from 1 to ${max}.`);
}

interface WholeNumber<T> {
  readonly max: number;
  readonly fallback: T;
}

/** One text for each prompt or embedding input; token arrays become their numbers. */
export function readTexts(value: unknown, param: string): readonly string[] {
  const list = typeof value === "string" || isTokens(value) ? [value] : arrayOf(value);
  const texts = list.map((one) => (isTokens(one) ? one.join(" ") : one));
  if (texts.length > 0 && texts.every((text) => typeof text === "string")) return texts;
  throw new BadMember(param, `\`${param}\` must be a text, an array of texts, or token arrays.`);
}

function isTokens(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isInteger);
}
