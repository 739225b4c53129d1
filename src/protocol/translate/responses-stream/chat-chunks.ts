import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { chatUsage } from "../../responses/usage.ts";
import { createEntryReader, type EntryKey } from "./read-entries.ts";

/** What an answer is known by where its upstream does not say. */
export interface ChunkParts {
  /** Unique to the answer. */
  readonly seed: string;
  /** Epoch ms. */
  readonly created_at: number;
  readonly model: string;
}

/** Turns the events of a response into chat chunks. */
export function createChatChunks({ seed, created_at, model: asked }: ChunkParts) {
  const entries = createEntryReader();
  let about: JsonObject = {
    id: `chatcmpl-${seed}`,
    created: Math.floor(created_at / 1000),
    model: asked,
  };
  let hasRole = false;

  function learn({ id, created_at: created, model, service_tier }: JsonObject): void {
    about = {
      ...about,
      ...(isFilledText(id) && { id }),
      ...(typeof created === "number" && { created: Math.floor(created) }),
      ...(isFilledText(model) && { model }),
      ...(isFilledText(service_tier) && { service_tier }),
    };
  }

  function chunk(members: JsonObject): JsonObject {
    return { ...about, object: "chat.completion.chunk", ...members };
  }

  function said(delta: JsonObject, logprobs: unknown): JsonObject {
    const role = !hasRole && { role: "assistant" };
    hasRole = true;
    const scores = arrayOf(logprobs).length > 0 && { logprobs: { content: logprobs } };
    const choice = { index: 0, delta: { ...role, ...delta }, ...scores, finish_reason: null };
    return chunk({ choices: [choice] });
  }

  /** A stream may consist of nothing but its end: then that holds all there is. */
  function end(response: JsonObject): JsonObject[] {
    const rest = entries.isSilent()
      ? arrayOf(response["output"]).flatMap((entry, at) => entries.finish(at, objectOf(entry)))
      : [];
    const usage = chatUsage(response["usage"]);
    const finish_reason = finishOf(response, entries.hasCalls());
    return [
      ...rest.map((delta) => said(delta, undefined)),
      chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
      ...(usage ? [chunk({ choices: [], usage })] : []),
    ];
  }

  return (type: string, event: JsonObject): JsonObject[] => {
    const response = objectOf(event["response"]);
    if (isObject(event["response"])) learn(response);
    if (type === "response.created") return [said({ content: "" }, undefined)];
    if (type === "response.completed" || type === "response.incomplete") return end(response);
    return deltasOf(type, event, entries).map((delta) => said(delta, event["logprobs"]));
  };
}

type Entries = ReturnType<typeof createEntryReader>;

function deltasOf(type: string, event: JsonObject, entries: Entries): JsonObject[] {
  const { delta } = event;
  const key = keyOf(event);
  switch (type) {
    case "response.output_text.delta":
      return entries.text(key, "content", delta);
    case "response.refusal.delta":
      return entries.text(key, "refusal", delta);
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return entries.text(key, "reasoning_content", delta);
    case "response.reasoning_summary_part.added":
      return entries.nextSummary(key);
    case "response.function_call_arguments.delta":
      return entries.arguments(key, delta);
    case "response.custom_tool_call_input.delta":
      return entries.input(key, delta);
    case "response.output_item.added":
      return entries.begin(key, objectOf(event["item"]));
    case "response.output_item.done":
      return entries.finish(key, objectOf(event["item"]));
    default:
      return [];
  }
}

function keyOf({ output_index: index, item_id: id, item }: JsonObject): EntryKey {
  if (typeof index === "number") return index;
  const name = id ?? objectOf(item)["id"];
  return typeof name === "string" ? name : "";
}

function finishOf({ status, incomplete_details: details }: JsonObject, hasCalls: boolean): string {
  const { reason } = objectOf(details);
  if (reason === "content_filter") return "content_filter";
  if (status === "incomplete" || isFilledText(reason)) return "length";
  return hasCalls ? "tool_calls" : "stop";
}
