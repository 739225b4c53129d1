import type { JsonObject } from "../fields.ts";

interface MissingFinish {
  /** The chunk whose id, time and model the new one shares. */
  readonly last: JsonObject;
  readonly dialect: "chat" | "completions";
  readonly index: number;
  readonly finish_reason: string;
}

/** A frame that ends one choice of a stream. */
export function finishFrame({ last, dialect, index, finish_reason }: MissingFinish): string {
  const { id, created, model } = last;
  const body = dialect === "chat" ? { delta: {} } : { text: "" };
  const object = dialect === "chat" ? "chat.completion.chunk" : "text_completion";
  const choices = [{ index, ...body, finish_reason }];
  return `data: ${JSON.stringify({ id, object, created, model, choices })}\n\n`;
}
