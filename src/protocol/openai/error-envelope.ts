import { type ErrorCode, ERRORS } from "../error-codes.ts";

export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly message: string;
  readonly param?: string | null;
}

/** OpenAI's error envelope; `error` is always an object, since clients read `error.message`. */
export function openAiError({ code, message, param = null }: ErrorDetails) {
  return { error: { message, type: ERRORS[code].type, param, code } };
}
