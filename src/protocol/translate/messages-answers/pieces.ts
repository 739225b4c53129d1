import { arrayOf, isFilledText, type JsonObject, objectOf } from "../../openai/fields.ts";
import { lostKind, type OnLoss } from "../answer-loss.ts";

/** What a chat delta says, one thing after the other. */
export type Piece =
  /** `entry` tells blocks of reasoning apart; null where the upstream does not. */
  | { readonly kind: "thinking"; readonly text: string; readonly entry: Entry }
  | { readonly kind: "signature"; readonly signature: string; readonly entry: Entry }
  | { readonly kind: "redacted"; readonly data: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "call"; readonly call: JsonObject };

export type Entry = number | string | null;

/** Members of a delta that a message has no room for. */
const LOST = ["audio", "images", "annotations"] as const;

/** The pieces of a delta: reasoning first, then what is said, then what is called. */
export function piecesOf(delta: JsonObject, onLoss: OnLoss): Piece[] {
  for (const name of LOST) {
    if (Object.keys(Object(delta[name])).length > 0) onLoss(name);
  }
  const calls = [...arrayOf(delta["tool_calls"]), ...legacyCall(delta["function_call"])];
  return [
    ...reasoning(delta, onLoss),
    ...content(delta["content"], onLoss),
    ...(isFilledText(delta["refusal"]) ? [refusal(delta["refusal"])] : []),
    ...calls.map((call): Piece => ({ kind: "call", call: objectOf(call) })),
  ];
}

const refusal = (text: string): Piece => ({ kind: "refusal", text });
const thinking = (text: string, entry: Entry = null): Piece => ({ kind: "thinking", text, entry });

/** Vendors mirror one text in several members: the first that has any speaks for all. */
function reasoning(delta: JsonObject, onLoss: OnLoss): Piece[] {
  const details = arrayOf(delta["reasoning_details"]).map(objectOf);
  const pieces = details.flatMap((detail) => detailPieces(detail, onLoss));
  if (pieces.some(({ kind }) => kind === "thinking")) return pieces;
  const text = ["reasoning_content", "reasoning", "thinking"]
    .map((name) => delta[name])
    .find(isFilledText);
  return text === undefined ? pieces : [thinking(text), ...pieces];
}

function detailPieces(detail: JsonObject, onLoss: OnLoss): Piece[] {
  const { type, text, summary, signature, data, index, format } = detail;
  const entry = typeof index === "number" || typeof index === "string" ? index : null;
  const said = [text, summary].filter(isFilledText).map((value) => thinking(value, entry));
  const isSealed = isFilledText(signature) || isFilledText(data);
  if (isSealed && !isAnthropic(format)) {
    // Only its own vendor can open it: sent to Anthropic later on, it would end the session.
    onLoss(`reasoning_details.${isFilledText(data) ? "data" : "signature"}`);
    return said;
  }
  if (type === "reasoning.encrypted") {
    return isFilledText(data) ? [...said, { kind: "redacted", data }] : said;
  }
  return isFilledText(signature) ? [...said, { kind: "signature", signature, entry }] : said;
}

/** An entry without a format is as old as the days when only Claude had signatures. */
function isAnthropic(format: unknown): boolean {
  if (format === undefined || format === null) return true;
  return typeof format === "string" && /^anthropic\b/.test(format);
}

/** Mistral sends parts while the model thinks. */
function content(value: unknown, onLoss: OnLoss): Piece[] {
  if (isFilledText(value)) return [{ kind: "text", text: value }];
  return arrayOf(value)
    .map(objectOf)
    .flatMap((part) => contentPart(part, onLoss));
}

function contentPart(part: JsonObject, onLoss: OnLoss): Piece[] {
  const { type, text, thinking: thoughts, refusal: refused } = part;
  if (type === "thinking") {
    const texts = isFilledText(thoughts)
      ? [thoughts]
      : arrayOf(thoughts).map((thought) => objectOf(thought)["text"]);
    return texts.filter(isFilledText).map((thought) => thinking(thought));
  }
  if (isFilledText(refused)) return [refusal(refused)];
  if (isFilledText(text)) return [{ kind: "text", text }];
  if (type !== "text") onLoss(`content.${lostKind(type, "part")}`);
  return [];
}

/** What was there before `tool_calls`: one call, without index or id. */
function legacyCall(call: unknown): JsonObject[] {
  const { name, arguments: given } = objectOf(call);
  if (name === undefined && given === undefined) return [];
  return [{ function: { name, arguments: given ?? "" } }];
}
