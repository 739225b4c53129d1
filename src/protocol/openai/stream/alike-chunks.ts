import { arrayItems, memberValue, objectMembers, type Span, textOf } from "../../json/scan.ts";
import type { Frame } from "../../sse/framer.ts";
import { payloadOf } from "../../sse/payload.ts";
import type { ContentFacts } from "../content.ts";
import { arrayOf, isFilledText, type JsonObject, objectOf, parseJson } from "../fields.ts";
import type { ChoiceOptions } from "./choice.ts";

/** The payload of a chunk, cut around the strings in which the next ones differ from it. */
interface Form {
  readonly before: string;
  /** What stands between the text and the padding; null without padding. */
  readonly between: string | null;
  readonly after: string;
  /** The choice whose text it is; null for reasoning, which nobody is told. */
  readonly choice: number | null;
  readonly chunk: JsonObject;
}

/** A chunk that was read whole, needed no repair, and told of no usage. */
interface Known {
  readonly frame: Frame;
  readonly chunk: JsonObject;
  /** What a choice has shown so far, this chunk included. */
  readonly contentOf: (choice: number) => ContentFacts | undefined;
}

/** One for each of a few choices that come in turn. */
const MAX_FORMS = 4;
/** So many forms in a row that no chunk repeated, and no more are looked for. */
const MAX_VAIN = 8;
/** Bytes; a longer one has more in it than a text. */
const MAX_FRAME = 4096;
const QUOTE = 0x22;
const REASONING = ["reasoning_content", "reasoning"];
/** Of a length that OpenAI draws for each chunk, against those who read lengths on the wire. */
const PADDING = "obfuscation";

// oxlint-disable-next-line no-control-regex -- JSON forbids bare control characters in strings.
const SPECIAL = /["\\\u0000-\u001F]/;

type AlikeOptions = Pick<ChoiceOptions, "dialect" | "onText">;

/**
 * A stream says the same chunk over and over with another text in it. One that was read whole and told
 * nothing but its text stands for all that repeat it: of those only the text is read.
 */
export function createAlikeChunks({ dialect, onText }: AlikeOptions) {
  const forms: Form[] = [];
  let vain = 0;

  return {
    /** The known chunk that a frame repeats, its own text being told; undefined if it is to be read. */
    repeatedBy({ event, data, terminated }: Frame): JsonObject | undefined {
      if (data === undefined || event !== undefined || !terminated) return undefined;
      for (const form of forms) {
        const text = textIn(data, form);
        if (text === undefined) continue;
        vain = 0;
        if (form.choice !== null && text !== "") onText?.(form.choice, text);
        return form.chunk;
      }
      return undefined;
    },

    learn(known: Known): void {
      const { event, raw } = known.frame;
      if (vain === MAX_VAIN || event !== undefined || raw.length > MAX_FRAME) return;
      const form = formOf(known, dialect);
      if (form === undefined) return;
      vain++;
      if (forms.push(form) > MAX_FORMS) forms.shift();
    },
  };
}

/** The text that makes `data` of the form; undefined if none does, or if it takes a closer look. */
function textIn(data: string, { before, between, after }: Form): string | undefined {
  const end = data.length - after.length;
  if (end < before.length || !data.startsWith(before) || !data.endsWith(after)) return undefined;
  if (between === null) return stringOf(data.slice(before.length, end));
  const at = data.indexOf(between, before.length);
  if (at === -1 || at + between.length > end) return undefined;
  const padding = stringOf(data.slice(at + between.length, end));
  return padding === undefined ? undefined : stringOf(data.slice(before.length, at));
}

/** The string that stands between two quotes as `spelled`; undefined if that is none. */
function stringOf(spelled: string): string | undefined {
  if (!SPECIAL.test(spelled)) return spelled;
  const text = parseJson(`"${spelled}"`);
  return typeof text === "string" ? text : undefined;
}

function formOf(
  { frame, chunk, contentOf }: Known,
  dialect: AlikeOptions["dialect"],
): Form | undefined {
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
  const told = REASONING.includes(key) ? null : index;
  return { ...cutAround(bytes, text, memberValue(members, PADDING)), choice: told, chunk };
}

/** The member whose string may change and tell nothing new, since what it can tell has been told. */
function changingKey(
  choice: JsonObject,
  shown: ContentFacts,
  dialect: AlikeOptions["dialect"],
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
function cutAround(bytes: Uint8Array, text: Span, padding: Span | undefined) {
  const padded =
    padding && padding.start > text.end && bytes[padding.start] === QUOTE ? padding : undefined;
  const piece = (start: number, end: number) => textOf(bytes, { start, end });
  return {
    before: piece(0, text.start + 1),
    between: padded ? piece(text.end - 1, padded.start + 1) : null,
    after: piece((padded ?? text).end - 1, bytes.length),
  };
}
