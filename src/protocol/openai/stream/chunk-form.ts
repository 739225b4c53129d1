import { arrayItems, memberValue, objectMembers, type Span, textOf } from "../../json/scan.ts";
import type { Frame } from "../../sse/framer.ts";
import { payloadOf } from "../../sse/payload.ts";
import type { ContentFacts } from "../content.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf } from "../fields.ts";
import type { ChoiceOptions } from "./choice.ts";
import type { Cut } from "./cut-text.ts";

/** What the chunks of a stream have in common that differ in their text alone. */
export interface Form {
  readonly payload: Cut;
  /** The whole frame, line breaks included; null where that is more than the payload on one line. */
  readonly frame: Cut | null;
  /** The choice whose text it is; null for reasoning, which nobody is told. */
  readonly choice: number | null;
  readonly chunk: JsonObject;
}

/** A chunk that was read whole, needed no repair, and told of no usage. */
export interface Known {
  readonly frame: Frame;
  readonly chunk: JsonObject;
  /** What a choice has shown so far, this chunk included. */
  readonly contentOf: (choice: number) => ContentFacts | undefined;
}

const QUOTE = 0x22;
const REASONING = ["reasoning_content", "reasoning"];
/** Of a length that OpenAI draws for each chunk, against those who read lengths on the wire. */
const PADDING = "obfuscation";

type Dialect = ChoiceOptions["dialect"];

/** What a chunk has in common with those that differ in their text alone; undefined if it is none of such. */
export function formOf({ frame, chunk, contentOf }: Known, dialect: Dialect): Form | undefined {
  const [only, ...others] = arrayOf(chunk["choices"]);
  const choice = objectOf(only);
  const { index, finish_reason } = choice;
  if (others.length > 0 || typeof index !== "number" || typeof finish_reason === "string") {
    return undefined;
  }
  const shown = contentOf(index);
  const key = shown && changingKey(choice, shown, dialect);
  if (key === undefined) return undefined;
  const { bytes } = payloadOf(frame);
  const members = objectMembers(bytes);
  const list = memberValue(members, "choices");
  const [place] = list ? arrayItems(bytes, list.start) : [];
  const inChoice = place ? objectMembers(bytes, place.start) : [];
  const delta = dialect === "chat" ? memberValue(inChoice, "delta") : undefined;
  const text = memberValue(delta ? objectMembers(bytes, delta.start) : inChoice, key);
  if (!text) return undefined;
  const payload = cutAround(bytes, text, memberValue(members, PADDING));
  const told = REASONING.includes(key) ? null : index;
  return { payload, frame: frameCut(frame, payload), choice: told, chunk };
}

/** One line, and a blank one. */
const ONE_LINE = /^(data: ?)[^\r\n]+((?:\r?\n){2})$/;

function frameCut({ raw }: Frame, { before, between, after }: Cut): Cut | null {
  const [, field, end] = ONE_LINE.exec(textOf(raw, { start: 0, end: raw.length })) ?? [];
  if (field === undefined || end === undefined) return null;
  return { before: field + before, between, after: after + end };
}

/** The member whose string may change and tell nothing new, since what it can tell has been told. */
function changingKey(
  choice: JsonObject,
  shown: ContentFacts,
  dialect: Dialect,
): string | undefined {
  const delta = objectOf(choice["delta"]);
  // Each fragment of a call adds to it.
  if ("tool_calls" in delta || "function_call" in delta) return undefined;
  const [said, key] = dialect === "chat" ? [delta, "content"] : [choice, "text"];
  if (isFilledText(said[key])) return shown.text ? key : undefined;
  if (dialect !== "chat" || Array.isArray(delta["content"])) return undefined;
  return REASONING.find((name) => isFilledText(delta[name]));
}

/** Padding before the text is none that is known. */
function cutAround(bytes: Uint8Array, text: Span, padding: Span | undefined): Cut {
  const padded =
    padding && padding.start > text.end && bytes[padding.start] === QUOTE ? padding : undefined;
  const piece = (start: number, end: number) => textOf(bytes, { start, end });
  return {
    before: piece(0, text.start + 1),
    between: padded ? piece(text.end - 1, padded.start + 1) : null,
    after: piece((padded ?? text).end - 1, bytes.length),
  };
}
