import {
  argumentsOf,
  eventFrame,
  type Form,
  halves,
  openAiFailure,
  type Said,
  SAID_NOTHING,
  TOTAL,
  words,
} from "./form.ts";
import { type Call, USAGE } from "./played.ts";

const head = { id: "resp_7", object: "response", created_at: 1_700_000_000, model: "m" };
const rest = { parallel_tool_calls: true, tool_choice: "auto", tools: [], metadata: {} };
const usage = {
  input_tokens: USAGE.input,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: USAGE.output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: TOTAL,
};

type Event = readonly [type: string, fields: object];

/** An output item: as it opens, what is added to it, and as it ends. */
interface Item {
  readonly opened: object;
  readonly events: (output_index: number) => readonly Event[];
  readonly whole: object;
}

export const responsesForm: Form = {
  whole: wholeResponse,
  frames: (said) => numbered(begun(said), 0),
  ending: (said) =>
    numbered([["response.completed", { response: wholeResponse(said) }]], begun(said).length),
  breaking: numbered(
    [["error", { code: "server_error", message: "the vendor broke", param: null }]],
    90,
  ),
  failure: openAiFailure,
};

function numbered(events: readonly Event[], from: number): string {
  return events
    .map(([type, fields], at) => eventFrame(type, { sequence_number: from + at, ...fields }))
    .join("");
}

function wholeResponse(said: Said): object {
  return {
    ...head,
    ...rest,
    status: "completed",
    error: null,
    incomplete_details: null,
    instructions: null,
    output: itemsOf(said).map((item) => item.whole),
    usage,
  };
}

/** Everything of a stream but its end. */
function begun(said: Said): readonly Event[] {
  const response = { ...wholeResponse(SAID_NOTHING), status: "in_progress", usage: null };
  return [
    ["response.created", { response }],
    ["response.in_progress", { response }],
    ...itemsOf(said).flatMap((item, output_index) => itemEvents(item, output_index)),
  ];
}

function itemEvents({ opened, events, whole }: Item, output_index: number): readonly Event[] {
  return [
    ["response.output_item.added", { output_index, item: opened }],
    ...events(output_index),
    ["response.output_item.done", { output_index, item: whole }],
  ];
}

function itemsOf({ text, thought, calls }: Said): readonly Item[] {
  return [
    ...(thought === null ? [] : [reasoning(thought)]),
    ...(text === null ? [] : [message(text)]),
    ...calls.map((call) => functionCall(call)),
  ];
}

const textPart = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });

function message(text: string): Item {
  const item = { id: "msg_7", type: "message", role: "assistant" };
  return {
    opened: { ...item, status: "in_progress", content: [] },
    whole: { ...item, status: "completed", content: [textPart(text)] },
    events(output_index) {
      const at = { item_id: item.id, output_index, content_index: 0 };
      return [
        ["response.content_part.added", { ...at, part: textPart("") }],
        ...words(text).map((delta): Event => [
          "response.output_text.delta",
          { ...at, delta, logprobs: [] },
        ]),
        ["response.output_text.done", { ...at, text, logprobs: [] }],
        ["response.content_part.done", { ...at, part: textPart(text) }],
      ];
    },
  };
}

function functionCall(call: Call): Item {
  const item = { id: `fc_${call.id}`, type: "function_call", call_id: call.id, name: call.name };
  return {
    opened: { ...item, arguments: "", status: "in_progress" },
    whole: { ...item, arguments: argumentsOf(call), status: "completed" },
    events(output_index) {
      const at = { item_id: item.id, output_index };
      const done = { ...at, name: call.name, arguments: argumentsOf(call) };
      return [
        ...halves(argumentsOf(call)).map((delta): Event => [
          "response.function_call_arguments.delta",
          { ...at, delta },
        ]),
        ["response.function_call_arguments.done", done],
      ];
    },
  };
}

function reasoning(thought: string): Item {
  const item = { id: "rs_7", type: "reasoning" };
  const part = { type: "summary_text", text: thought };
  return {
    opened: { ...item, summary: [] },
    whole: { ...item, summary: [part] },
    events(output_index) {
      const at = { item_id: item.id, output_index, summary_index: 0 };
      return [
        ["response.reasoning_summary_part.added", { ...at, part: { ...part, text: "" } }],
        ["response.reasoning_summary_text.delta", { ...at, delta: thought }],
        ["response.reasoning_summary_text.done", { ...at, text: thought }],
        ["response.reasoning_summary_part.done", { ...at, part }],
      ];
    },
  };
}
