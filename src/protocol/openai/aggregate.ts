import { isTooDeep } from "../json/nesting.ts";
import { createFramer, type Frame } from "../sse/framer.ts";
import { arrayOf, type JsonObject, objectOf, parseJson } from "./fields.ts";
import { joinDelta, joinObjects } from "./join-deltas.ts";
import { createStreamReader } from "./stream.ts";

/** A stream's answer as one JSON body, or the payload of the error it carried. */
export type Aggregate =
  | { readonly kind: "answer"; readonly body: JsonObject; readonly is_finished: boolean }
  | { readonly kind: "error"; readonly payload: string }
  | { readonly kind: "too_deep" }
  | { readonly kind: "nothing" };

interface AggregateOptions {
  readonly dialect: "chat" | "completions";
  /** Makes an id for a tool call that came without one. */
  readonly newId: () => string;
  /** Told the name of every repair made. */
  readonly onEdit: (edit: string) => void;
}

interface Choice {
  message: JsonObject;
  text: string;
  /** Members beside delta and text, each joined or replaced as in a delta. */
  rest: JsonObject;
  readonly calls: Map<number, JsonObject>;
}

/**
 * Puts a chat or completions stream together for a client that asked for JSON, after the repairs that
 * a client of the stream would have got. Members beside choices keep the last value that is not null.
 */
export function aggregateStream(frames: readonly Frame[], options: AggregateOptions): Aggregate {
  const reader = createStreamReader({ ...options, drop_usage: false });
  const repaired = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const answer = createAnswer(options.dialect);
  let isDone = false;
  for (const frame of frames) {
    const { out, error, is_done } = reader.read(frame);
    if (error !== null) return { kind: "error", payload: error };
    for (const { data } of repaired.push(out).frames) {
      if (!answer.add(data)) return { kind: "too_deep" };
    }
    isDone ||= is_done;
    if (isDone) break;
  }
  const is_finished = isDone || reader.facts().is_finished;
  const body = answer.body();
  return body ? { kind: "answer", body, is_finished } : { kind: "nothing" };
}

/**
 * Chunks that need no repair as one body; undefined if there are none, or one nests too deeply. They
 * are taken over: lists in them may grow.
 */
export function joinChunks(
  chunks: readonly JsonObject[],
  dialect: AggregateOptions["dialect"],
): JsonObject | undefined {
  const answer = createAnswer(dialect);
  return chunks.every(answer.addChunk) ? answer.body() : undefined;
}

function createAnswer(dialect: "chat" | "completions") {
  const choices = new Map<number, Choice>();
  const body: Record<string, unknown> = {};
  let isEmpty = true;

  function choiceAt(index: number): Choice {
    const known = choices.get(index);
    if (known) return known;
    const fresh: Choice = { message: {}, text: "", rest: {}, calls: new Map() };
    choices.set(index, fresh);
    return fresh;
  }

  /** False if the chunk nests too deeply to become part of anything. */
  function addChunk(chunk: JsonObject): boolean {
    isEmpty = false;
    if (isTooDeep(chunk)) return false;
    const { choices: list, ...rest } = chunk;
    for (const [key, value] of Object.entries(rest)) {
      if (value !== null) body[key] = value;
    }
    for (const value of arrayOf(list).map(objectOf)) {
      addChoice(choiceAt(Number(value["index"])), value);
    }
    return true;
  }

  return {
    addChunk,

    add(data: string | undefined): boolean {
      if (data === undefined || data.trim() === "[DONE]") return true;
      return addChunk(objectOf(parseJson(data)));
    },

    body(): JsonObject | undefined {
      if (isEmpty) return undefined;
      const closed = [...choices]
        .toSorted(([a], [b]) => a - b)
        .map(([index, choice]) => closedChoice(index, choice, dialect));
      const object = dialect === "chat" ? "chat.completion" : "text_completion";
      return { ...body, object, choices: closed };
    },
  };
}

function addChoice(choice: Choice, { delta, text, ...rest }: JsonObject): void {
  if (typeof text === "string") choice.text += text;
  choice.rest = joinRest(choice.rest, rest);
  const { tool_calls: calls, ...message } = objectOf(delta);
  choice.message = joinObjects(choice.message, message);
  for (const { index, ...fragment } of arrayOf(calls).map(objectOf)) {
    const known = choice.calls.get(Number(index)) ?? {};
    choice.calls.set(Number(index), joinObjects(known, fragment));
  }
}

/** Log probabilities grow with the text; the rest is told anew by whichever chunk has it. */
function joinRest(before: JsonObject, { logprobs, ...rest }: JsonObject): JsonObject {
  const told = Object.entries(rest).filter(([, value]) => value !== null);
  const joined = joinDelta("logprobs", before["logprobs"], logprobs);
  return { ...before, ...Object.fromEntries(told), logprobs: joined };
}

function closedChoice(index: number, choice: Choice, dialect: "chat" | "completions"): JsonObject {
  const { rest, text, calls, message } = choice;
  const ending = { finish_reason: null, ...rest };
  if (dialect === "completions") return { text, ...ending, index };
  const tool_calls = [...calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
  return {
    message: {
      role: "assistant",
      content: null,
      ...message,
      ...(tool_calls.length > 0 && { tool_calls }),
    },
    ...ending,
    index,
  };
}
