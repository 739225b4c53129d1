import { type Edit, objectEdits } from "../../json/edit.ts";
import { objectMembers } from "../../json/scan.ts";
import { arrayOf, isFilledText, isObject, type JsonObject, objectOf } from "../fields.ts";
import type { CallDelta } from "./tool-call-repair.ts";

/**
 * The edits that make content in parts readable for SDKs, which join whatever content they get as
 * text: Mistral's models send a list while they think. Text stays `content`, thoughts become
 * `reasoning_content`. A list with anything else in it stays as it is.
 */
export function contentEdits({ delta, place }: CallDelta): Edit[] {
  const { content } = delta;
  if (!Array.isArray(content) || content.length === 0 || !content.every(isPlain)) return [];
  const at = place();
  if (!at) return [];
  const set = new Map<string, string>();
  const remove = new Set<string>();
  const text = content.map((part) => textOf(part, "text")).join("");
  const thoughts = content.map((part) => textOf(part, "thinking")).join("");
  if (text === "") remove.add("content");
  else set.set("content", JSON.stringify(text));
  if (thoughts !== "" && !isFilledText(delta["reasoning_content"])) {
    set.set("reasoning_content", JSON.stringify(thoughts));
  }
  return objectEdits(at.span.start, objectMembers(at.payload, at.span.start), { set, remove });
}

function isPlain(part: unknown): part is JsonObject {
  const { type, text } = objectOf(part);
  return type === "thinking" || (type === "text" && typeof text === "string");
}

function textOf(part: JsonObject, type: "text" | "thinking"): string {
  if (part["type"] !== type) return "";
  const told = part[type];
  if (typeof told === "string") return told;
  const texts = arrayOf(told).map((entry) => (isObject(entry) ? entry["text"] : undefined));
  return texts.filter(isFilledText).join("");
}
