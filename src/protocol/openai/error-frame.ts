import { type ErrorDetails, openAiError } from "./error-envelope.ts";

/** The one form of a mid-stream error that every client understands: no `choices`, then `[DONE]`. */
export function openAiErrorFrame(details: ErrorDetails): string {
  return `data: ${JSON.stringify(openAiError(details))}\n\ndata: [DONE]\n\n`;
}
