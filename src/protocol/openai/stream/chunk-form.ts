import { detached } from "../../../lib/detached.ts";
import { type Span, textOf } from "../../json/scan.ts";
import type { Frame } from "../../sse/framer.ts";
import type { ContentFacts } from "../content.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf, parseJson } from "../fields.ts";
import type { ChoiceOptions } from "./choice.ts";
import { type Cut, stringEnd } from "./cut-text.ts";

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

const REASONING = ["reasoning_content", "reasoning"];
/** Of a length that OpenAI draws for each chunk, against those who read lengths on the wire. */
const PADDING = "obfuscation";

type Dialect = ChoiceOptions["dialect"];

/** What a chunk has in common with those that differ in their text alone; undefined if it is none of such. */
export function formOf({ frame, chunk, contentOf }: Known, dialect: Dialect): Form | undefined {
  const choices = arrayOf(chunk["choices"]);
  const choice = objectOf(choices[0]);
  const { index, finish_reason } = choice;
  if (choices.length !== 1 || typeof index !== "number" || typeof finish_reason === "string") {
    return undefined;
  }
  const shown = contentOf(index);
  const key = shown && changingKey(choice, shown, dialect);
  const payload = key && payloadCut(frame, chunk, { key, dialect });
  if (!payload) return undefined;
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

interface Changing {
  readonly key: string;
  readonly dialect: Dialect;
}

/** Stands in for the text and the padding of a chunk. */
const OTHER = "veriroute";

/** The payload cut around its text, and its padding if that follows. */
function payloadCut({ data = "" }: Frame, chunk: JsonObject, changing: Changing): Cut | undefined {
  const text = stringAfter(data, changing.key);
  if (!text) return undefined;
  const found = typeof chunk[PADDING] === "string" ? stringAfter(data, PADDING) : undefined;
  // Padding before the text is none that is known.
  const padding = found && found.start > text.end ? found : undefined;
  const cut = {
    before: detached(data.slice(0, text.start)),
    between: padding ? detached(data.slice(text.end, padding.start)) : null,
    after: detached(data.slice((padding ?? text).end)),
  };
  return isCutRight(cut, chunk, changing) ? cut : undefined;
}

/** Whether a parser sees another text where one is put into the gap. */
function isCutRight(
  { before, between, after }: Cut,
  chunk: JsonObject,
  changing: Changing,
): boolean {
  const filled = between === null ? OTHER : OTHER + between + OTHER;
  const other = objectOf(parseJson(before + filled + after));
  return textIn(chunk, changing) !== OTHER && textIn(other, changing) === OTHER;
}

/** Where the string of the last member that is called so stands in JSON, less its quotes. */
function stringAfter(data: string, key: string): Span | undefined {
  const member = `"${key}":`;
  const at = data.lastIndexOf(member);
  if (at === -1) return undefined;
  const value = at + member.length;
  const quote = data[value] === " " ? value + 1 : value;
  if (data[quote] !== '"') return undefined;
  return { start: quote + 1, end: stringEnd(data, quote + 1) };
}

function textIn(chunk: JsonObject, { key, dialect }: Changing): unknown {
  const choice = objectOf(arrayOf(chunk["choices"])[0]);
  return (dialect === "chat" ? objectOf(choice["delta"]) : choice)[key];
}
