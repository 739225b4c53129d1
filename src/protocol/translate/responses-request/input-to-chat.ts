import { isTooDeep } from "../../json/nesting.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { unpackReasoning } from "../../responses/packed-reasoning.ts";
import { type Findings, plainWord } from "../findings.ts";
import { chatContent, chatParts, partText } from "./parts-to-chat.ts";
import type { ChatTools } from "./tools-to-chat.ts";
import { createTurns, type Turns } from "./turns.ts";

interface Reader {
  readonly turns: Turns;
  readonly tools: ChatTools;
  readonly findings: Findings;
}

/** One item of the input and where it stands. */
interface Placed {
  readonly entry: JsonObject;
  readonly path: string;
}

/** `instructions` and `input` as a chat history. */
export function inputToChat(body: JsonObject, tools: ChatTools, findings: Findings): JsonObject[] {
  const { instructions, input } = body;
  const turns = createTurns(findings);
  if (isFilledText(instructions)) turns.addMessage({ role: "system", content: instructions });
  if (typeof input === "string") turns.addMessage({ role: "user", content: input });
  const entries = [...(isFilledText(instructions) ? [] : arrayOf(instructions)), ...arrayOf(input)];
  const before = entries.length - arrayOf(input).length;
  for (const [index, value] of entries.entries()) {
    const path = index < before ? `instructions[${index}]` : `input[${index - before}]`;
    readEntry({ entry: objectOf(value), path }, { turns, tools, findings });
  }
  return turns.messages();
}

type Read = (placed: Placed, reader: Reader) => void;

/** What became of a tool that ran at a provider; its answer is in the text that follows. */
const dropped: Read = ({ entry }, { findings }) => findings.lose(`input.${String(entry["type"])}`);

/** Tools were read before. */
const ignored: Read = () => {};

const READERS: Readonly<Record<string, Read>> = {
  message: readMessage,
  reasoning: readReasoning,
  function_call: readCall("arguments"),
  custom_tool_call: readCall("input"),
  local_shell_call: readCall("action"),
  shell_call: readCall("action"),
  apply_patch_call: readCall("operation"),
  function_call_output: readOutput,
  custom_tool_call_output: readOutput,
  local_shell_call_output: readOutput,
  shell_call_output: readOutput,
  apply_patch_call_output: readOutput,
  additional_tools: ignored,
  tool_search_output: ignored,
  tool_search_call: dropped,
  web_search_call: dropped,
  file_search_call: dropped,
  code_interpreter_call: dropped,
  image_generation_call: dropped,
  mcp_list_tools: dropped,
  mcp_call: dropped,
  configuration_update: dropped,
  item_reference: refuseReference,
};

function readEntry(placed: Placed, reader: Reader): void {
  const { type, role } = placed.entry;
  const kind = type ?? (role === undefined ? undefined : "message");
  const read = typeof kind === "string" && Object.hasOwn(READERS, kind) ? READERS[kind] : undefined;
  if (read) read(placed, reader);
  else refuseUnknown(placed, reader);
}

function readMessage({ entry, path }: Placed, { turns, findings }: Reader): void {
  const { role, content } = entry;
  if (role === "assistant") {
    const { text, refusal, hasCitations } = spoken(content);
    if (hasCitations) findings.lose("input.annotations");
    if (text + refusal !== "") turns.addText(text, refusal);
    return;
  }
  const parts = chatParts(content, `${path}.content`, findings);
  if (parts.length > 0) turns.addMessage({ role, content: chatContent(parts) });
}

/** What the model said earlier; its parts are pieces of one text. */
function spoken(content: unknown) {
  if (typeof content === "string") return { text: content, refusal: "", hasCitations: false };
  const parts = arrayOf(content).map(objectOf);
  return {
    text: parts.map((part) => partText(part) ?? "").join(""),
    refusal: parts
      .map(({ refusal }) => refusal)
      .filter(isFilledText)
      .join(""),
    hasCitations: parts.some((part) => arrayOf(part["annotations"]).length > 0),
  };
}

function readReasoning({ entry }: Placed, { turns }: Reader): void {
  const texts = [...arrayOf(entry["summary"]), ...arrayOf(entry["content"])];
  const text = texts.map((part) => objectOf(part)["text"]).filter(isFilledText);
  const { details, calls } = unpackReasoning(entry);
  turns.addReasoning(text.join("\n\n"), details);
  turns.addExtras(calls);
}

/** Calls of the tools that the client runs itself; `member` holds what they are called with. */
function readCall(member: string): Read {
  return ({ entry }, { turns, tools }) => {
    const { type, call_id: call, id, name, namespace } = entry;
    const called = isFilledText(name) ? name : String(type).replace(/_call$/, "");
    const given = member === "input" ? { input: entry[member] ?? "" } : entry[member];
    turns.addCall({
      id: idText(call ?? id),
      name: tools.nameOf(called, isFilledText(namespace) ? namespace : null),
      arguments: jsonText(given),
    });
  };
}

function readOutput({ entry, path }: Placed, { turns, findings }: Reader): void {
  const { type, call_id: call, id, output } = entry;
  const parts = type === "shell_call_output" ? [] : chatParts(output, `${path}.output`, findings);
  const texts = parts.map(({ text }) => text).filter(isFilledText);
  const text = type === "shell_call_output" ? jsonText(output) : texts.join("\n");
  const attachments = parts.filter((part) => part["type"] !== "text");
  turns.addOutput(idText(call ?? id), { text, attachments });
}

const idText = (id: unknown) => (typeof id === "string" ? id : "");

function jsonText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null || isTooDeep(value) ? "" : JSON.stringify(value);
}

function refuseReference({ entry, path }: Placed, { findings }: Reader): void {
  const message =
    `Item with id '${plainWord(entry["id"], "…")}' not found. The router keeps no items: ` +
    "send the item itself, which SDKs do with `store: false`.";
  findings.refuse({ param: path, message, code: "item_not_found" });
}

function refuseUnknown({ entry: { type }, path }: Placed, { findings }: Reader): void {
  const kind = plainWord(type, "unknown");
  const message =
    `\`${path}\` is an item of type \`${kind}\`, which only a provider with a Responses API reads; ` +
    "leave it out, or ask for a target of such a provider.";
  findings.refuse({ param: path, message });
}
