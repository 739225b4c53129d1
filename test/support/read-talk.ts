import { createParser } from "eventsource-parser";

import type { TalkDialect } from "./dialect-rig.ts";

/** What a client of any dialect reads of an answer, in the same words for all. */
export interface Heard {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  }[];
  readonly finish: "stop" | "length" | "tools" | "filter" | null;
  readonly usage: { readonly input: number; readonly output: number } | null;
}

type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null;
const jsonOf = (value: unknown): Json => (isJson(value) ? value : {});
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(jsonOf) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The events of a stream, each with its name; the payload that ends a chat stream is left out. */
export function eventsOf(text: string): readonly { event: string | undefined; data: Json }[] {
  const events: { event: string | undefined; data: Json }[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (data !== "[DONE]") events.push({ event, data: jsonOf(JSON.parse(data)) });
    },
  });
  parser.feed(`${text}\n\n`);
  return events;
}

/** Status and what clients act on: the type for those of Anthropic, the code for the others. */
export async function readRefusal(response: Response, dialect: TalkDialect) {
  const body: unknown = await response.json();
  const { type, error } = Object(body);
  const isOwn = dialect === "messages" ? type === "error" : type === undefined;
  const word = dialect === "messages" ? error.type : error.code;
  return { isOwn, status: response.status, word, message: String(error.message) };
}

export function readTalk(dialect: TalkDialect, text: string, stream: boolean): Heard {
  const read = { chat: readChat, messages: readMessages, responses: readResponses }[dialect];
  return read(text, stream);
}

const FINISHES: Readonly<Record<string, Heard["finish"]>> = {
  stop: "stop",
  end_turn: "stop",
  completed: "stop",
  length: "length",
  max_tokens: "length",
  max_output_tokens: "length",
  tool_calls: "tools",
  tool_use: "tools",
  content_filter: "filter",
  refusal: "filter",
};

function readChat(text: string, stream: boolean): Heard {
  const bodies = stream ? eventsOf(text).map(({ data }) => data) : [jsonOf(JSON.parse(text))];
  const calls = new Map<number, ChatCall>();
  let said = "";
  let reasoning = "";
  let finish: Heard["finish"] = null;
  for (const choice of bodies.flatMap((body) => listOf(body["choices"]))) {
    const part = jsonOf(choice[stream ? "delta" : "message"]);
    said += textOf(part["content"]);
    reasoning += textOf(part["reasoning_content"] ?? part["reasoning"]);
    finish = FINISHES[textOf(choice["finish_reason"])] ?? finish;
    for (const [at, call] of listOf(part["tool_calls"]).entries()) addCall(calls, call, at);
  }
  const usage = bodies.map((body) => body["usage"]).findLast(isJson);
  return {
    text: said,
    reasoning,
    calls: [...calls.values()].map(({ id, name, json }) => ({ id, name, input: JSON.parse(json) })),
    finish,
    usage: usage
      ? { input: Number(usage["prompt_tokens"]), output: Number(usage["completion_tokens"]) }
      : null,
  };
}

interface ChatCall {
  readonly id: string;
  readonly name: string;
  readonly json: string;
}

function addCall(calls: Map<number, ChatCall>, call: Json, at: number): void {
  const index = typeof call["index"] === "number" ? call["index"] : at;
  const known = calls.get(index) ?? { id: "", name: "", json: "" };
  const called = jsonOf(call["function"] ?? call["custom"]);
  const said = call["custom"] ? JSON.stringify(called["input"]) : textOf(called["arguments"]);
  calls.set(index, {
    id: known.id || textOf(call["id"]),
    name: known.name || textOf(called["name"]),
    json: known.json + said,
  });
}

function readMessages(text: string, stream: boolean): Heard {
  const message = stream ? joinedMessage(text) : jsonOf(JSON.parse(text));
  const blocks = listOf(message["content"]);
  const of = (type: string) => blocks.filter((block) => block["type"] === type);
  const usage = jsonOf(message["usage"]);
  return {
    text: of("text")
      .map((block) => textOf(block["text"]))
      .join(""),
    reasoning: of("thinking")
      .map((block) => textOf(block["thinking"]))
      .join(""),
    calls: of("tool_use").map(({ id, name, input }) => ({
      id: textOf(id),
      name: textOf(name),
      input,
    })),
    finish: FINISHES[textOf(message["stop_reason"])] ?? null,
    usage: { input: Number(usage["input_tokens"]), output: Number(usage["output_tokens"]) },
  };
}

/** Puts the events together as the SDK's helper does, which throws where they come in another order. */
function joinedMessage(text: string): Json {
  let message: Json | undefined;
  const blocks: Json[] = [];
  const inputs: string[] = [];
  for (const { event, data } of eventsOf(text)) {
    const { type, index, delta } = data;
    if (event !== type) throw new Error(`event ${event} holds ${String(type)}`);
    if (type === "ping") continue;
    if (type === "message_start") message = { ...jsonOf(data["message"]) };
    if (!message) throw new Error(`${String(type)} before message_start`);
    const at = Number(index);
    if (type === "content_block_start") {
      if (at !== blocks.length) throw new Error(`block ${at} after ${blocks.length}`);
      blocks.push({ ...jsonOf(data["content_block"]) });
      inputs.push("");
    }
    if (type === "content_block_delta") addDelta({ blocks, inputs, at, delta: jsonOf(delta) });
    if (type === "message_delta") {
      const usage = { ...jsonOf(message["usage"]), ...jsonOf(data["usage"]) };
      message = { ...message, ...jsonOf(delta), usage };
    }
  }
  return { ...message, content: blocks };
}

interface Delta {
  readonly blocks: Json[];
  readonly inputs: string[];
  readonly at: number;
  readonly delta: Json;
}

function addDelta({ blocks, inputs, at, delta }: Delta): void {
  const block = blocks[at] ?? {};
  if (delta["type"] === "text_delta") block["text"] = textOf(block["text"]) + textOf(delta["text"]);
  if (delta["type"] === "thinking_delta") {
    block["thinking"] = textOf(block["thinking"]) + textOf(delta["thinking"]);
  }
  if (delta["type"] !== "input_json_delta") return;
  inputs[at] += textOf(delta["partial_json"]);
  try {
    block["input"] = JSON.parse(inputs[at] ?? "");
  } catch {
    // It goes on with the next delta.
  }
}

function readResponses(text: string, stream: boolean): Heard {
  const response = stream ? endOfResponse(text) : jsonOf(JSON.parse(text));
  const output = listOf(response["output"]);
  const of = (type: string) => output.filter((entry) => entry["type"] === type);
  const usage = response["usage"];
  const calls = of("function_call").map(({ call_id, name, arguments: given }) => ({
    id: textOf(call_id),
    name: textOf(name),
    input: JSON.parse(textOf(given)),
  }));
  const status = textOf(jsonOf(response["incomplete_details"])["reason"] ?? response["status"]);
  return {
    text: of("message")
      .flatMap(({ content }) => listOf(content).map((part) => textOf(part["text"])))
      .join(""),
    reasoning: of("reasoning")
      .flatMap(({ summary, content }) => listOf(summary).concat(listOf(content)))
      .map((part) => textOf(part["text"]))
      .join(""),
    calls,
    finish: calls.length > 0 ? "tools" : (FINISHES[status] ?? null),
    usage: isJson(usage)
      ? { input: Number(usage["input_tokens"]), output: Number(usage["output_tokens"]) }
      : null,
  };
}

/** The response that the last event holds; numbers that do not count up are an error. */
function endOfResponse(text: string): Json {
  const events = eventsOf(text);
  for (const [at, { event, data }] of events.entries()) {
    if (event !== data["type"]) throw new Error(`event ${event} holds ${String(data["type"])}`);
    const before = events[at - 1]?.data["sequence_number"] ?? -1;
    if (Number(data["sequence_number"]) <= Number(before)) throw new Error(`out of order at ${at}`);
  }
  return jsonOf(events.at(-1)?.data["response"]);
}
