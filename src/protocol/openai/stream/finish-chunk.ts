import type { JsonObject } from "../fields.ts";

type Dialect = "chat" | "completions";

interface MissingFinish {
  /** The chunk whose id, time and model the new one shares. */
  readonly last: JsonObject;
  readonly dialect: Dialect;
  readonly index: number;
  readonly finish_reason: string;
}

/** A frame that ends one choice of a stream. */
export function finishFrame({ last, dialect, index, finish_reason }: MissingFinish): string {
  const body = dialect === "chat" ? { delta: {} } : { text: "" };
  return frameLike(last, dialect, { choices: [{ index, ...body, finish_reason }] });
}

/** The frame that tells of a stream's usage where clients look for it. */
export function usageFrame(last: JsonObject, dialect: Dialect, usage: JsonObject): string {
  return frameLike(last, dialect, { choices: [], usage });
}

function frameLike({ id, created, model }: JsonObject, dialect: Dialect, rest: JsonObject): string {
  const object = dialect === "chat" ? "chat.completion.chunk" : "text_completion";
  return `data: ${JSON.stringify({ id, object, created, model, ...rest })}\n\n`;
}
