import { arrayOf, isObject, type JsonObject, objectOf } from "../openai/fields.ts";
import { spellCallIds } from "./call-ids.ts";
import type { ShapingFindings } from "./findings.ts";
import { placeReasoning } from "./history-reasoning.ts";
import { refuseImages } from "./images.ts";
import { endAsWanted } from "./last-message.ts";
import type { ChatQuirks, MessageQuirks } from "./quirks.ts";
import { signCalls } from "./signatures.ts";

interface Conversation {
  readonly parsed: JsonObject;
  readonly quirks: ChatQuirks;
  /** What earlier turns show was thought by another model. */
  readonly is_foreign: boolean;
}

/** What of the conversation and of the definitions of tools must differ. */
export function shapeMessages(conversation: Conversation, findings: ShapingFindings): void {
  const { parsed: body, is_foreign } = conversation;
  const quirks = conversation.quirks.messages;
  const messages = arrayOf(body["messages"]).map(objectOf);
  const fills = fillsReasoning(body, quirks);
  endAsWanted(messages, quirks, findings);
  messages.forEach((message, index) => shapeMessage({ message, index, quirks, fills }, findings));
  dropIn({ list: body["tools"], path: ["tools"], name: "tools", drops: quirks.drops }, findings);
  if (quirks.images === "inline") refuseImages(messages, conversation.quirks.vendor, findings);
  if (quirks.call_ids === "nine") spellCallIds(messages, findings);
  if (quirks.signatures) signCalls({ messages, is_foreign }, findings);
}

interface Placed {
  readonly message: JsonObject;
  readonly index: number;
  readonly quirks: MessageQuirks;
  /** Every turn of an assistant must have the member that tells its reasoning. */
  readonly fills: boolean;
}

function shapeMessage(placed: Placed, findings: ShapingFindings): void {
  const { message, index, quirks } = placed;
  const { role } = message;
  if (role === "developer" && quirks.system_role) {
    const { set } = findings.at(["messages", index]);
    if (!set.has("role")) set.set("role", "system");
    findings.note("messages.role");
  }
  if (role === "assistant") placeReasoning(placed, findings);
  closeArguments(message, index, findings);
  if (quirks.drops.size > 0) dropExtensions(placed, findings);
}

function fillsReasoning(body: JsonObject, { fills_reasoning: when }: MessageQuirks): boolean {
  if (when === "never") return false;
  const { type } = objectOf(body["thinking"]);
  if (when === "when_thinking") return type === "enabled";
  return type !== "disabled" && body["reasoning_effort"] !== "none";
}

/** A call without arguments, which some vendors tell as no text at all, is one with none. */
function closeArguments(message: JsonObject, index: number, findings: ShapingFindings): void {
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return;
  for (const [at, call] of calls.entries()) {
    const called = objectOf(objectOf(call)["function"]);
    if (called["arguments"] !== "") continue;
    findings.at(["messages", index, "tool_calls", at, "function"]).set.set("arguments", "{}");
    findings.note("messages.tool_calls.arguments");
  }
}

function dropExtensions({ message, index, quirks }: Placed, findings: ShapingFindings): void {
  const { drops } = quirks;
  const { role } = message;
  // There it says whose result it is.
  const keepsName = role === "tool" || role === "function";
  const place = { object: message, path: ["messages"], at: index };
  dropMembers({ ...place, name: "messages", drops, keepsName }, findings);
  for (const member of ["content", "tool_calls"]) {
    const list = message[member];
    if (!Array.isArray(list)) continue;
    const path = ["messages", index, member];
    dropIn({ list, path, name: `messages.${member}`, drops }, findings);
  }
}

interface InList {
  readonly list: unknown;
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly drops: ReadonlySet<string>;
}

/** Entries of a list: parts, calls or tools. Their `name` is their own. */
function dropIn({ list, path, name, drops }: InList, findings: ShapingFindings): void {
  if (drops.size === 0) return;
  for (const [at, entry] of arrayOf(list).entries()) {
    if (!isObject(entry)) continue;
    dropMembers({ object: entry, path, at, name, drops, keepsName: true }, findings);
  }
}

interface InObject {
  readonly object: JsonObject;
  /** Of the list that it is in, and where there. */
  readonly path: readonly (string | number)[];
  readonly at: number;
  readonly name: string;
  readonly drops: ReadonlySet<string>;
  readonly keepsName: boolean;
}

function dropMembers(place: InObject, findings: ShapingFindings): void {
  const { object, name, drops, keepsName } = place;
  for (const key of Object.keys(object)) {
    if (!drops.has(key) || (key === "name" && keepsName)) continue;
    const value = object[key];
    // A call in the older form is no ornament: that of a vendor which knows it no more is its to refuse.
    if (key === "function_call" && value !== null) continue;
    const at = findings.at([...place.path, place.at]);
    if (at.rename.has(key) || at.remove.has(key)) continue;
    at.remove.add(key);
    if (isNothing(value)) findings.note(`${name}.${key}`);
    else findings.lose(`${name}.${key}`);
  }
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) ? value.length === 0 : value === "");
}
