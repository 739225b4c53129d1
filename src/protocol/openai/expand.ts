import { arrayOf, type JsonObject, objectOf } from "./fields.ts";

interface ExpandOptions {
  readonly dialect: "chat" | "completions";
  readonly include_usage: boolean;
}

/** One JSON answer as the stream that a client asked for: content, finish, usage if wanted, `[DONE]`. */
export function expandAnswer(body: JsonObject, { dialect, include_usage }: ExpandOptions): string {
  const { choices, usage, ...rest } = body;
  const head = {
    ...rest,
    object: dialect === "chat" ? "chat.completion.chunk" : "text_completion",
  };
  const event = (chunk: object) => `data: ${JSON.stringify({ ...head, ...chunk })}\n\n`;
  const list = arrayOf(choices).map(objectOf);
  const contents = list.map((choice, position) =>
    event({ choices: [contentChoice(choice, position, dialect)] }),
  );
  const finishes = list.map((choice, position) =>
    event({ choices: [finishChoice(choice, position, dialect)] }),
  );
  const tail = include_usage && usage !== undefined ? [event({ choices: [], usage })] : [];
  return [...contents, ...finishes, ...tail, "data: [DONE]\n\n"].join("");
}

function contentChoice(choice: JsonObject, position: number, dialect: "chat" | "completions") {
  const index = choice["index"] ?? position;
  const logprobs = choice["logprobs"] ?? null;
  if (dialect === "completions") {
    return { index, text: choice["text"] ?? "", logprobs, finish_reason: null };
  }
  const { tool_calls: calls, ...message } = objectOf(choice["message"]);
  const delta = {
    role: "assistant",
    ...message,
    ...(isFilled(calls) && { tool_calls: numbered(calls) }),
  };
  return { index, delta, logprobs, finish_reason: null };
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function numbered(calls: readonly unknown[]): object[] {
  return calls.map((call, index) => Object.assign({ index }, objectOf(call)));
}

function finishChoice(choice: JsonObject, position: number, dialect: "chat" | "completions") {
  const index = choice["index"] ?? position;
  const finish_reason = choice["finish_reason"] ?? "stop";
  return dialect === "chat"
    ? { index, delta: {}, finish_reason }
    : { index, text: "", finish_reason };
}
