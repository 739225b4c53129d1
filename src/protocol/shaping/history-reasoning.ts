import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../openai/fields.ts";
import type { ShapingFindings } from "./findings.ts";
import type { MessageQuirks } from "./quirks.ts";

const FIELDS = ["reasoning_content", "reasoning"] as const;

interface Thought {
  readonly message: JsonObject;
  readonly index: number;
  readonly quirks: MessageQuirks;
  /** Every turn must have the member. */
  readonly fills: boolean;
}

/**
 * Puts what an assistant thought in an earlier turn where the vendor reads it, whichever vendor's
 * words it came in. Members that the vendor refuses are dropped with the others, not here.
 */
export function placeReasoning(thought: Thought, findings: ShapingFindings): void {
  const { message, index, quirks, fills } = thought;
  const { reasoning: field } = quirks;
  if (field === "parts") {
    makeParts(message, index, findings);
    return;
  }
  const thinking = quirks.thinking_parts ? "" : takeThinkingParts(message, index, findings);
  if (field === null) {
    if (thinking !== "") findings.lose("messages.thinking");
    return;
  }
  if (typeof message[field] === "string") return;
  const other = FIELDS.find((name) => name !== field && isFilledText(message[name]));
  if (other === undefined && thinking === "" && !fills) return;
  const at = findings.at(["messages", index]);
  if (other !== undefined) {
    at.remove.add(field);
    at.rename.set(other, field);
  } else at.set.set(field, thinking);
  findings.note(`messages.${field}`);
}

/** What was thought as Mistral sent it, in front of a plain text; what has parts already stays. */
function makeParts(message: JsonObject, index: number, findings: ShapingFindings): void {
  const { content } = message;
  const field = FIELDS.find((name) => isFilledText(message[name]));
  if (field === undefined || Array.isArray(content)) return;
  const thinking = [{ type: "text", text: message[field] }];
  const rest = isFilledText(content) ? [{ type: "text", text: content }] : [];
  const at = findings.at(["messages", index]);
  at.set.set("content", [{ type: "thinking", thinking }, ...rest]);
  for (const name of FIELDS) at.remove.add(name);
  findings.note("messages.content");
}

/** Takes Mistral's parts of type `thinking` out of the content; returns their text. */
function takeThinkingParts(message: JsonObject, index: number, findings: ShapingFindings): string {
  const parts = arrayOf(message["content"]).map(objectOf);
  const thoughts = parts.filter(({ type }) => type === "thinking");
  if (thoughts.length === 0) return "";
  const rest = parts.filter(({ type }) => type !== "thinking");
  // Few vendors take a list from an assistant; plain text they all do.
  const texts = rest.map(({ text }) => text).filter((text) => typeof text === "string");
  const text = texts.join("") || (arrayOf(message["tool_calls"]).length > 0 ? null : "");
  const content = texts.length === rest.length ? text : rest;
  findings.at(["messages", index]).set.set("content", content);
  findings.note("messages.content");
  return thoughts.map(thinkingText).join("");
}

function thinkingText({ thinking }: JsonObject): string {
  if (typeof thinking === "string") return thinking;
  const texts = arrayOf(thinking).map((part) => (isObject(part) ? part["text"] : undefined));
  return texts.filter((text) => typeof text === "string").join("");
}
