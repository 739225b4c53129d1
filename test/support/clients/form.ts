import { type Call, type Failure, type Played, USAGE } from "./played.ts";

/** What a vendor writes in its dialect. */
export interface Form {
  /** The JSON answer to a request that asked for no stream. */
  whole(said: Said): object;
  /** The frames of what is said; the end apart. */
  frames(said: Said): string;
  /** The frames that end a stream properly. */
  ending(said: Said): string;
  /** What breaks a stream off with an error. */
  readonly breaking: string;
  /** The status and body of an error. */
  failure(failure: Failure): { readonly status: number; readonly body: object };
}

/** An answer's content. */
export interface Said {
  readonly text: string | null;
  readonly thought: string | null;
  readonly calls: readonly Call[];
}

export const SAID_NOTHING: Said = { text: null, thought: null, calls: [] };

export function saidBy(played: Exclude<Played, { kind: "fail" }>): Said {
  if (played.kind === "call") return { ...SAID_NOTHING, calls: played.calls };
  const thought = played.kind === "say" ? (played.thought ?? null) : null;
  return { text: played.text, thought, calls: [] };
}

export const STATUS: Readonly<Record<Failure, number>> = {
  credit: 402,
  rate: 429,
  rate_wait: 429,
  unavailable: 503,
  context: 400,
};

export const TOTAL = USAGE.input + USAGE.output;

export const dataFrame = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
export const eventFrame = (type: string, fields: object = {}) =>
  `event: ${type}\n${dataFrame({ type, ...fields })}`;

export const words = (text: string): readonly string[] => text.match(/\S+\s*/g) ?? [];
/** What a call is made with, in two fragments. */
export const halves = (text: string): readonly string[] => [text.slice(0, 5), text.slice(5)];
export const argumentsOf = ({ input }: Call) => JSON.stringify(input);

const OPENAI_ERRORS: Readonly<Record<Failure, object>> = {
  credit: {
    message: "Insufficient Balance",
    type: "insufficient_quota",
    code: "insufficient_quota",
  },
  rate: {
    message: "Rate limit reached for requests",
    type: "requests",
    code: "rate_limit_exceeded",
  },
  rate_wait: {
    message: "Rate limit reached for requests",
    type: "requests",
    code: "rate_limit_exceeded",
  },
  unavailable: { message: "The server is overloaded", type: "server_error", code: null },
  context: {
    message: "This model's maximum context length is 4096 tokens, your messages have 5000 tokens.",
    type: "invalid_request_error",
    code: "context_length_exceeded",
  },
};

/** As chat and Responses vendors answer. */
export const openAiFailure: Form["failure"] = (failure) => ({
  status: STATUS[failure],
  body: { error: { param: null, ...OPENAI_ERRORS[failure] } },
});
