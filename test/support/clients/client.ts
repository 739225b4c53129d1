import type { Endpoint } from "./client-fleet.ts";
import type { Wire } from "./played.ts";

/** What a client got for a question, in its own words put into ours. */
export interface Told {
  readonly text: string;
  /** Null where the client tells its caller nothing of tokens. */
  readonly usage: { readonly input: number; readonly output: number } | null;
}

export interface CalledTool {
  readonly name: string;
  readonly input: unknown;
}

/** A full round: the calls asked for, and what was said after their results had been sent back. */
export interface ToolRound {
  readonly calls: readonly CalledTool[];
  readonly text: string;
}

/** One way of one package to talk to a model, with the options that it has by default. */
export interface Client {
  /** Such as `openai 7, chat`. */
  readonly name: string;
  /** The dialect of its requests. */
  readonly speaks: Wire;
  say(endpoint: Endpoint, prompt: string): Promise<Told>;
  stream(endpoint: Endpoint, prompt: string): Promise<Told>;
  /** Offers `weather` and answers each of its calls with `sunny in CITY`. */
  tools(endpoint: Endpoint, how: "whole" | "stream"): Promise<ToolRound>;
  /** Shows `PIXEL`. */
  image(endpoint: Endpoint): Promise<string>;
  /** Asks for `CITY_SCHEMA`; what the client parsed. */
  structured(endpoint: Endpoint): Promise<unknown>;
  /** Reads the first text of a stream and goes away. */
  abort(endpoint: Endpoint): Promise<string>;
  /** Rejects as the client does; a stream is read to its end. */
  fail(endpoint: Endpoint, how: "whole" | "stream"): Promise<unknown>;
}

/** A picture of one pixel, 70 bytes. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const CITY_SCHEMA = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
} as const;

export const WEATHER = {
  name: "weather",
  description: "The weather in a city.",
  parameters: CITY_SCHEMA,
} as const;

/** What the tool answers. */
export function weatherIn(input: unknown): string {
  const city = typeof input === "object" && input !== null ? Reflect.get(input, "city") : input;
  return `sunny in ${String(city)}`;
}
