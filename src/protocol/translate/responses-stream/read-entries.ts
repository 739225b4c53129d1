import { isTooDeep } from "../../json/nesting.ts";
import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../../openai/fields.ts";
import { unpackReasoning } from "../../responses/packed-reasoning.ts";

/** Tells the items of one output apart. */
export type EntryKey = number | string;

/** Calls that clients answer. */
const CLIENT_CALLS: ReadonlySet<unknown> = new Set([
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
  "computer_call",
  "mcp_approval_request",
]);

/** Turns what a response says of its items into chat deltas. */
export function createEntryReader() {
  /** Items of which something was said piece by piece. */
  const heard = new Set<EntryKey>();
  const finished = new Set<EntryKey>();
  const calls = createCallReader();
  let details = 0;

  function finishReasoning(key: EntryKey, entry: JsonObject): JsonObject[] {
    const text = heard.has(key) ? "" : reasoningText(entry);
    const kept = unpackReasoning(entry).details.map((detail) => numbered(detail, details++));
    const reasoning = text === "" ? [] : [{ reasoning_content: text }];
    return kept.length === 0 ? reasoning : [...reasoning, { reasoning_details: kept }];
  }

  return {
    /** A piece of text of one kind, such as `content`. */
    text(key: EntryKey, member: string, delta: unknown): JsonObject[] {
      if (!isFilledText(delta)) return [];
      heard.add(key);
      return [{ [member]: delta }];
    },

    /** Between two summaries of one item there is a blank line. */
    nextSummary: (key: EntryKey): JsonObject[] =>
      heard.has(key) ? [{ reasoning_content: "\n\n" }] : [],

    arguments: (key: EntryKey, delta: unknown): JsonObject[] =>
      isFilledText(delta) ? calls.go(key, { function: { arguments: delta } }) : [],

    input: (key: EntryKey, delta: unknown): JsonObject[] =>
      isFilledText(delta) ? calls.go(key, { type: "custom", custom: { input: delta } }) : [],

    begin(key: EntryKey, entry: JsonObject): JsonObject[] {
      const { type } = entry;
      const isCall = type === "function_call" || type === "custom_tool_call";
      return isCall ? calls.begin(key, { ...entry, arguments: "", input: "" }) : [];
    },

    /** A whole item: what of it was not said yet. */
    finish(key: EntryKey, entry: JsonObject): JsonObject[] {
      if (finished.has(key)) return [];
      finished.add(key);
      const { type } = entry;
      if (type === "message") return messageDeltas(entry, heard.has(key));
      if (type === "reasoning") return finishReasoning(key, entry);
      if (type === "image_generation_call") return imageDeltas(entry);
      return CLIENT_CALLS.has(type) ? calls.finish(key, entry) : [];
    },

    hasCalls: calls.areAny,
    /** Nothing was said of any item. */
    isSilent: (): boolean => finished.size + heard.size === 0 && !calls.areAny(),
  };
}

/** Tells calls apart and counts them: chat numbers calls, not items. */
function createCallReader() {
  const indexes = new Map<EntryKey, number>();
  /** Calls of which some arguments were said. */
  const heard = new Set<EntryKey>();

  function begin(key: EntryKey, entry: JsonObject): JsonObject[] {
    if (indexes.has(key)) return [];
    const index = indexes.size;
    indexes.set(key, index);
    return [callDelta({ ...firstFragment(entry), index })];
  }

  function go(key: EntryKey, member: JsonObject): JsonObject[] {
    const index = indexes.get(key);
    if (index === undefined) return [];
    heard.add(key);
    return [callDelta({ index, ...member })];
  }

  return {
    begin,
    go,
    /** A whole call: all of it, or the arguments where nothing was said of them. */
    finish(key: EntryKey, entry: JsonObject): JsonObject[] {
      if (!indexes.has(key)) return begin(key, entry);
      if (heard.has(key)) return [];
      const { function: called, custom } = firstFragment(entry);
      if (called === undefined) return go(key, { custom: withoutName(custom) });
      return go(key, { function: withoutName(called) });
    },
    areAny: (): boolean => indexes.size > 0,
  };
}

function withoutName(called: unknown): JsonObject {
  const { name: _, ...rest } = objectOf(called);
  return rest;
}

function callDelta(call: JsonObject): JsonObject {
  return { tool_calls: [call] };
}

function firstFragment(entry: JsonObject): JsonObject {
  const { type, call_id: call, id, name } = entry;
  const about = { id: call ?? id };
  if (type === "custom_tool_call") {
    return { ...about, type: "custom", custom: { name, input: entry["input"] ?? "" } };
  }
  const kind = isFilledText(type) ? type.replace(/_call$/, "") : "";
  const given = entry["arguments"] ?? entry["action"] ?? entry["operation"] ?? "";
  return {
    ...about,
    type: "function",
    function: { name: name ?? kind, arguments: jsonText(given) },
  };
}

function jsonText(value: unknown): string {
  if (typeof value === "string") return value;
  return isTooDeep(value) ? "" : JSON.stringify(value);
}

function numbered(detail: JsonObject, index: number): JsonObject {
  return { ...detail, index };
}

function reasoningText({ summary, content }: JsonObject): string {
  const shown = [summary, content].map(arrayOf).find((list) => list.length > 0);
  return (shown ?? [])
    .map((part) => objectOf(part)["text"])
    .filter(isFilledText)
    .join("\n\n");
}

function messageDeltas({ content }: JsonObject, isHeard: boolean): JsonObject[] {
  const parts = arrayOf(content).map(objectOf);
  const annotations = parts.flatMap((part) => arrayOf(part["annotations"])).filter(isObject);
  const notes = annotations.map(chatAnnotation);
  const said = isHeard ? [] : parts.flatMap(partDeltas);
  return notes.length === 0 ? said : [...said, { annotations: notes }];
}

function partDeltas({ text, refusal }: JsonObject): JsonObject[] {
  if (isFilledText(text)) return [{ content: text }];
  return isFilledText(refusal) ? [{ refusal }] : [];
}

/** Chat wraps a citation in a member named like its type. */
function chatAnnotation({ type, ...rest }: JsonObject): JsonObject {
  return isFilledText(type) ? { type, [type]: rest } : rest;
}

function imageDeltas({ result, output_format: format }: JsonObject): JsonObject[] {
  if (!isFilledText(result)) return [];
  const url = `data:image/${isFilledText(format) ? format : "png"};base64,${result}`;
  return [{ images: [{ type: "image_url", image_url: { url } }] }];
}
