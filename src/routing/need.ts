import { type Dialect, isTalk } from "../protocol/dialect.ts";

/** Members of a chat body that hold text for the model. */
const TEXT_MEMBERS = ["messages", "tools", "functions", "response_format", "system", "suffix"];
/** Encoded media inside a message; its bytes say nothing of its tokens. */
const MEDIA_MEMBERS: ReadonlySet<string> = new Set(["data", "file_data", "b64_json"]);
const OUTPUT_CAPS = ["max_completion_tokens", "max_tokens", "max_output_tokens"];

/** Above this share of non-ASCII characters, four characters a token would count far too few. */
const DENSE_SHARE = 0.3;
const CHARACTERS_PER_TOKEN = 4;
const BYTES_PER_TOKEN = 3;
/** Characters looked at per text: enough to tell the script, and no request stalls the others. */
const SAMPLES = 64;

/** Tokens a request will take up, as far as can be told without the model's tokenizer. */
export interface Need {
  readonly input_tokens: number;
  /** The client's own cap on the answer; null without one. */
  readonly max_output_tokens: number | null;
}

/** What must fit into a window. */
export function neededWindow({ input_tokens, max_output_tokens }: Need): number {
  return input_tokens + (max_output_tokens ?? 0);
}

/** Estimates over all text of the body, a conversation in its chat form. Of a list of prompts or inputs each is answered on its own. */
export function estimateNeed(body: Readonly<Record<string, unknown>>, dialect: Dialect): Need {
  const cap = OUTPUT_CAPS.map((name) => body[name]).find(isCount);
  return {
    input_tokens: isTalk(dialect) ? tokensOf(chatText(body)) : largest(inputOf(body, dialect)),
    max_output_tokens: dialect === "embeddings" ? null : (cap ?? null),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}

function chatText(body: Readonly<Record<string, unknown>>): unknown[] {
  return TEXT_MEMBERS.map((name) => body[name]);
}

function inputOf({ input, prompt, suffix }: Readonly<Record<string, unknown>>, dialect: Dialect) {
  return dialect === "embeddings" ? input : [prompt, suffix].filter((part) => part !== undefined);
}

/** The largest single prompt or input: a text, token numbers, or a list of either. */
function largest(value: unknown): number {
  if (!Array.isArray(value)) return tokensOf(value);
  if (value.every((element) => typeof element === "number")) return value.length;
  return value.reduce<number>((most, element) => Math.max(most, largest(element)), 0);
}

interface Measure {
  characters: number;
  dense: number;
  bytes: number;
}

function tokensOf(value: unknown): number {
  const measure: Measure = { characters: 0, dense: 0, bytes: 0 };
  measureText(value, measure);
  const { characters, dense, bytes } = measure;
  const isDense = dense > DENSE_SHARE * characters;
  return Math.ceil(isDense ? bytes / BYTES_PER_TOKEN : characters / CHARACTERS_PER_TOKEN);
}

/** Adds up every text within `value`, names of members included where a schema has them. */
function measureText(value: unknown, measure: Measure): void {
  if (typeof value === "string") return addText(value, measure);
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) measureText(element, measure);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (MEDIA_MEMBERS.has(name) && typeof member === "string") continue;
    measureText(member, measure);
  }
}

function addText(text: string, measure: Measure): void {
  const { length } = text;
  if (length === 0 || text.startsWith("data:")) return;
  const step = Math.ceil(length / SAMPLES);
  let seen = 0;
  let dense = 0;
  let bytes = 0;
  for (let at = 0; at < length; at += step) {
    const code = text.charCodeAt(at);
    seen++;
    bytes += bytesOf(code);
    if (code > 0x7f) dense++;
  }
  measure.characters += length;
  measure.dense += (dense / seen) * length;
  measure.bytes += (bytes / seen) * length;
}

/** UTF-8 bytes of a UTF-16 unit; a surrogate is half of a character of four. */
function bytesOf(unit: number): number {
  if (unit <= 0x7f) return 1;
  if (unit <= 0x7ff) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}
