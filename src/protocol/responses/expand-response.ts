import { arrayOf, isFilledText, type JsonObject, objectOf } from "../openai/fields.ts";

type Event = JsonObject & { readonly type: string };

/** A whole response as the stream that a client asked for, each item as it stands. */
export function expandResponse(response: JsonObject): string {
  const opened = { ...response, status: "in_progress", output: [], usage: null };
  const output = arrayOf(response["output"]).map(objectOf);
  const end = response["status"] === "incomplete" ? "response.incomplete" : "response.completed";
  const events: Event[] = [
    { type: "response.created", response: opened },
    { type: "response.in_progress", response: opened },
    ...output.flatMap(itemEvents),
    { type: end, response },
  ];
  return events.map(frameOf).join("");
}

function frameOf({ type, ...fields }: Event, sequence_number: number): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`;
}

function itemEvents(item: JsonObject, output_index: number): Event[] {
  const place = { item_id: item["id"], output_index };
  const said = sayings(item).map(({ type, ...fields }) => Object.assign({ type }, place, fields));
  const events: Event[] = [
    { type: "response.output_item.added", output_index, item: opening(item) },
    ...said,
    { type: "response.output_item.done", output_index, item },
  ];
  return isCutCall(item) ? events.filter(({ type }) => !type.endsWith(".done")) : events;
}

/** Agents run a call as soon as it is done: one that broke off at a limit never is. */
function isCutCall({ type, status }: JsonObject): boolean {
  return status === "incomplete" && String(type).endsWith("_call");
}

/** Members that deltas fill. */
const FILLED: Readonly<Record<string, unknown>> = {
  content: [],
  summary: [],
  arguments: "",
  input: "",
};

function opening(item: JsonObject): JsonObject {
  const filled = Object.entries(FILLED).filter(([name]) => Object.hasOwn(item, name));
  const status = Object.hasOwn(item, "status") && { status: "in_progress" };
  return { ...item, ...Object.fromEntries(filled), ...status };
}

/** What is told between the beginning and the end of an item; nothing for types without deltas. */
function sayings(item: JsonObject): Event[] {
  switch (item["type"]) {
    case "message":
      return arrayOf(item["content"]).map(objectOf).flatMap(partEvents);
    case "reasoning":
      return arrayOf(item["summary"]).map(objectOf).flatMap(summaryEvents);
    case "function_call":
      return [
        { type: "response.function_call_arguments.delta", delta: item["arguments"] ?? "" },
        {
          type: "response.function_call_arguments.done",
          name: item["name"],
          arguments: item["arguments"] ?? "",
        },
      ];
    case "custom_tool_call":
      return [
        { type: "response.custom_tool_call_input.delta", delta: item["input"] ?? "" },
        { type: "response.custom_tool_call_input.done", input: item["input"] ?? "" },
      ];
    default:
      return [];
  }
}

function partEvents(part: JsonObject, content_index: number): Event[] {
  const { refusal } = part;
  const text = part["text"] ?? "";
  const logprobs = arrayOf(part["logprobs"]);
  const said: Event[] = isFilledText(refusal)
    ? [
        { type: "response.refusal.delta", content_index, delta: refusal },
        { type: "response.refusal.done", content_index, refusal },
      ]
    : [
        { type: "response.output_text.delta", content_index, delta: text, logprobs },
        ...arrayOf(part["annotations"]).map((annotation, annotation_index) => ({
          type: "response.output_text.annotation.added",
          content_index,
          annotation_index,
          annotation,
        })),
        { type: "response.output_text.done", content_index, text, logprobs },
      ];
  const empty = isFilledText(refusal)
    ? { ...part, refusal: "" }
    : { ...part, text: "", annotations: [], logprobs: [] };
  return [
    { type: "response.content_part.added", content_index, part: empty },
    ...said,
    { type: "response.content_part.done", content_index, part },
  ];
}

function summaryEvents(part: JsonObject, summary_index: number): Event[] {
  const text = part["text"] ?? "";
  return [
    {
      type: "response.reasoning_summary_part.added",
      summary_index,
      part: { ...part, text: "" },
    },
    { type: "response.reasoning_summary_text.delta", summary_index, delta: text },
    { type: "response.reasoning_summary_text.done", summary_index, text },
    { type: "response.reasoning_summary_part.done", summary_index, part },
  ];
}
