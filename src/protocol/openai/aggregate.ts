import type { Frame } from "../sse/framer.ts";
import { arrayOf, isObject, type JsonObject, objectOf, parseJson } from "./fields.ts";

/** A stream's answer as one JSON body, or the payload of the error it carried. */
export type Aggregate =
  | { readonly kind: "answer"; readonly body: JsonObject; readonly is_finished: boolean }
  | { readonly kind: "error"; readonly payload: string }
  | { readonly kind: "nothing" };

interface Choice {
  message: Record<string, unknown>;
  text: string;
  finish_reason: unknown;
  logprobs: unknown;
  readonly calls: Map<number, Record<string, unknown>>;
}

/**
 * Puts a chat or completions stream together for a client that asked for JSON. Fields outside
 * choices keep the value of the last chunk that had them; text fields of deltas are concatenated.
 */
export function aggregateStream(
  frames: readonly Frame[],
  dialect: "chat" | "completions",
): Aggregate {
  const choices = new Map<number, Choice>();
  const body: Record<string, unknown> = {};
  let seen = false;
  for (const { data, event } of frames) {
    if (data === undefined || data.trim() === "[DONE]") continue;
    const chunk = parseJson(data);
    if (!isObject(chunk)) continue;
    if (event === "error" || isObject(chunk["error"]) || typeof chunk["error"] === "string") {
      return { kind: "error", payload: data };
    }
    seen = true;
    const { choices: list, ...rest } = chunk;
    Object.assign(body, withoutNulls(rest));
    for (const choice of arrayOf(list)) addChoice(choices, objectOf(choice));
  }
  if (!seen) return { kind: "nothing" };
  const finished = [...choices.values()].every(({ finish_reason }) => finish_reason !== null);
  return {
    kind: "answer",
    is_finished: finished && choices.size > 0,
    body: {
      ...body,
      object: dialect === "chat" ? "chat.completion" : "text_completion",
      choices: [...choices]
        .toSorted(([a], [b]) => a - b)
        .map((entry) => closeChoice(entry, dialect)),
    },
  };
}

function addChoice(choices: Map<number, Choice>, chunk: JsonObject): void {
  const index = typeof chunk["index"] === "number" ? chunk["index"] : 0;
  const choice: Choice = choices.get(index) ?? {
    message: {},
    text: "",
    finish_reason: null,
    logprobs: null,
    calls: new Map(),
  };
  choices.set(index, choice);
  if (typeof chunk["text"] === "string") choice.text += chunk["text"];
  choice.finish_reason = chunk["finish_reason"] ?? choice.finish_reason;
  choice.logprobs = chunk["logprobs"] ?? choice.logprobs;
  const delta = objectOf(chunk["delta"] ?? chunk["message"]);
  for (const [key, value] of Object.entries(delta)) {
    if (key === "tool_calls") arrayOf(value).forEach((call) => addToolCall(choice, objectOf(call)));
    else choice.message[key] = joined(key, choice.message[key], value);
  }
}

function joined(key: string, before: unknown, value: unknown): unknown {
  if (key === "role") return value ?? before;
  if (typeof before === "string" && typeof value === "string") return before + value;
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value];
  return value ?? before ?? null;
}

function addToolCall(choice: Choice, fragment: JsonObject): void {
  const { index, function: part, ...rest } = fragment;
  const isOpening = typeof objectOf(part)["name"] === "string" && objectOf(part)["name"] !== "";
  const at = callIndex(choice, { index, id: fragment["id"], isOpening });
  const call = choice.calls.get(at) ?? {};
  const known = objectOf(call["function"]);
  const given = objectOf(part)["arguments"];
  const text = typeof given === "string" ? given : JSON.stringify(given ?? "").replace(/^""$/, "");
  choice.calls.set(at, {
    ...withoutNulls(rest),
    ...call,
    function: {
      ...objectOf(part),
      ...known,
      arguments: (typeof known["arguments"] === "string" ? known["arguments"] : "") + text,
    },
  });
}

function callIndex(
  choice: Choice,
  { index, id, isOpening }: { index: unknown; id: unknown; isOpening: boolean },
): number {
  const latest = choice.calls.size - 1;
  const at = typeof index === "number" ? index : latest + (isOpening ? 1 : 0);
  const other = choice.calls.get(at)?.["id"];
  const isReused = isOpening && other !== undefined && typeof id === "string" && other !== id;
  return isReused ? latest + 1 : Math.max(at, 0);
}

function closeChoice([index, choice]: [number, Choice], dialect: "chat" | "completions") {
  const { finish_reason, logprobs } = choice;
  if (dialect === "completions") return { index, text: choice.text, logprobs, finish_reason };
  const calls = [...choice.calls].toSorted(([a], [b]) => a - b).map(([, call]) => call);
  const message = {
    role: "assistant",
    content: null,
    ...choice.message,
    ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ type: "function", ...call })) }),
  };
  const isToolTurn = finish_reason === "stop" && calls.length > 0;
  return { index, message, logprobs, finish_reason: isToolTurn ? "tool_calls" : finish_reason };
}

function withoutNulls(value: JsonObject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null && member !== undefined),
  );
}
