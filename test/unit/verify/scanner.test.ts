import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { type AnswerFacts, PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { profileOfText } from "../../../src/verify/prompt/prompt-profile.ts";
import { BARE_REQUEST, type RequestFacts } from "../../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../../src/verify/scanner.ts";
import { TextScan } from "../../../src/verify/text/text-scan.ts";
import { LABELLED_OUTPUTS, LOOK_ALIKES } from "../../support/labelled-outputs.ts";

interface Setting {
  readonly prompt?: string;
  readonly request?: Partial<RequestFacts>;
  readonly answer?: Partial<AnswerFacts>;
}

const scannerFor = ({ prompt = "", request }: Setting = {}) =>
  createScanner({ prompt: profileOfText(prompt), request: { ...BARE_REQUEST, ...request } });

function verdictOf(pieces: readonly string[], setting: Setting = {}) {
  const scanner = scannerFor(setting);
  for (const piece of pieces) scanner.push(piece);
  return scanner.end({ ...PLAIN_ANSWER, finish: "stop", ...setting.answer }).verdict;
}

function suspicionOf(start: string, setting: Setting = {}) {
  const scanner = scannerFor(setting);
  scanner.push(start);
  return scanner.suspicion()?.signature ?? null;
}

function cut(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (let n = 0; at < text.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

const TEXTS = [...LABELLED_OUTPUTS, ...LOOK_ALIKES].flatMap(({ line }) => {
  const { completion = "", prompt = "" } = line;
  const filler = "A sentence that means nothing much. ".repeat(57);
  return [
    { text: completion, prompt },
    { text: filler + completion, prompt },
    { text: completion + filler, prompt },
  ];
});

test("how a stream was cut changes no verdict", () => {
  const anyText = fc.constantFrom(...TEXTS);
  const anySizes = fc.array(fc.integer({ min: 1, max: 2_500 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(anyText, anySizes, ({ text, prompt }, sizes) => {
      const whole = verdictOf([text], { prompt });

      expect(verdictOf(cut(text, sizes), { prompt })).toEqual(whole);
      expect(verdictOf(cut(text, [1]), { prompt })).toEqual(whole);
    }),
    { numRuns: 1_500 },
  );
});

/** Texts are read in blocks of so many units. */
const BLOCK = 2_048;

test.each([
  { name: "a template token", text: "Fine.<|im_end|>", signature: "chat_template_leak" },
  { name: "byte tokens", text: "ok <0xF0><0x9F> ok", signature: "byte_fallback" },
  { name: "a closing tag", text: "hm\n</think>\nYes.", signature: "reasoning_leak_orphan" },
  { name: "a lost character", text: "mo\uFFFDning sun", signature: "replacement_char" },
  { name: "a mangled dash", text: "a \u00E2\u0080\u0094 b", signature: "mojibake" },
])("$name is found wherever a block ends", ({ text, signature }) => {
  for (let before = BLOCK - 32; before <= BLOCK + 18; before++) {
    const filler = "word ".repeat(500).slice(0, before - 1);
    expect(verdictOf([`${filler} ${text}`])).toMatchObject({ signature });
  }
});

test.each([
  { name: "a token", text: "and the <|endoftext|> token ends it." },
  { name: "a token at the end of a wrapped line", text: "to prevent the <|endoftext|>\n * token." },
  { name: "a token in quotes", text: '{"<|endoftext|>": 50256}' },
  { name: "a closing tag", text: "then an immediate </think> (off by then) is sent." },
])("$name that a sentence names is a doubt, wherever a block ends", ({ text }) => {
  for (let before = BLOCK - 32; before <= BLOCK + 18; before++) {
    const filler = "word ".repeat(500).slice(0, before - 1);
    expect(verdictOf([`${filler} ${text}`])).toMatchObject({ verdict: "suspect", trips: false });
  }
});

test.each([
  {
    name: "a token behind a sentence",
    text: "It is late. <|im_end|>\nuser",
    signature: "chat_template_leak",
  },
  {
    name: "a token behind a quotation",
    text: 'She said "no"<|im_end|>',
    signature: "chat_template_leak",
  },
  {
    name: "a token behind a word",
    text: "It is late <|im_end|>\nuser",
    signature: "chat_template_leak",
  },
  {
    name: "a token that cuts a sentence",
    text: "It is the <|im_end|>",
    signature: "chat_template_leak",
  },
  {
    name: "a tag before the answer",
    text: "Fine </think> It is late.",
    signature: "reasoning_leak_orphan",
  },
  {
    name: "a tag on its line",
    text: "That is the end\n</think>\nok",
    signature: "reasoning_leak_orphan",
  },
])("$name is no name", ({ text, signature }) => {
  expect(verdictOf([text])).toMatchObject({ signature, trips: true });
});

test.each([
  {
    name: "the start of an HTML page",
    start: "<!DOCTYPE html><html>",
    signature: "html_error_page",
  },
  {
    name: "the start of a JSON error",
    start: '{"error":{"mess',
    signature: "error_json_as_content",
  },
  { name: "an error line", start: "upstream connect error or", signature: "error_text_as_content" },
  { name: "a template token", start: "<|channel|>final", signature: "chat_template_leak" },
  { name: "an opening tag", start: "<think>\nHm", signature: "reasoning_leak" },
  { name: "a stray comma", start: ", Good morning", signature: "stray_leading_token" },
  { name: "mangled quotes", start: "\u00E2\u0080\u009CYes", signature: "mojibake" },
  { name: "a comma and nothing yet", start: ",", signature: null },
  { name: "half a token", start: "<|im_", signature: null },
  { name: "sound text", start: "Good morning! It is", signature: null },
  { name: "nothing", start: "", signature: null },
])("$name makes $signature suspected", ({ start, signature }) => {
  expect(suspicionOf(start)).toBe(signature);
});

test("a page that was asked for makes nothing suspected", () => {
  const start = "<!DOCTYPE html><html>";

  expect(suspicionOf(start, { prompt: "Write an HTML page." })).toBeNull();
  expect(suspicionOf('{"error":1', { prompt: "Say it as JSON." })).toBeNull();
  expect(suspicionOf('{"name":"f","arguments":{', { request: { tools: ["f"] } })).toBe(
    "tool_call_text_leak",
  );
});

test("only the first 64 units are suspected of anything", () => {
  const scanner = scannerFor();
  scanner.push("A quite normal sentence that goes on and on and on");
  expect(scanner.isStartKnown()).toBe(false);
  scanner.push(", up to the end of the start.<|im_end|>");

  expect(scanner.isStartKnown()).toBe(true);
  expect(scanner.suspicion()).toBeNull();
  expect(scanner.end(PLAIN_ANSWER).verdict).toMatchObject({ signature: "chat_template_leak" });
});

test.each([
  { text: "Plain words.", is_ascii: true },
  { text: `${"Plain words. ".repeat(100)}café`, is_ascii: false },
  { text: "", is_ascii: true },
])("whether an answer is ASCII is known at its end: $is_ascii", ({ text, is_ascii }) => {
  const scanner = scannerFor();
  scanner.push(text);

  expect(scanner.end(PLAIN_ANSWER).is_ascii).toBe(is_ascii);
});

test("of a long text a head, a tail and counts are kept", () => {
  const scan = new TextScan({ keep: 16_384 });
  const sentence = "One more sentence. ";
  for (let n = 0; n < 10_000; n++) scan.push(sentence);
  const facts = scan.end();

  expect(facts).toMatchObject({ length: 190_000, whole: null, is_visible: true });
  expect(facts.head).toHaveLength(2_048);
  expect(facts.tail).toHaveLength(2_400);
});

test("a text up to the limit is kept whole", () => {
  const scan = new TextScan({ keep: 16_384 });
  const text = "x".repeat(16_384);
  scan.push(text);

  expect(scan.end().whole).toBe(text);
});

test("a fault far into a long text is found", () => {
  const long = "All is well here, number. ".repeat(2_000);

  expect(verdictOf([long, "<|eot_id|>", long])).toMatchObject({ signature: "chat_template_leak" });
  expect(verdictOf([long, " mo\uFFFDning ", long])).toMatchObject({
    signature: "replacement_char",
  });
  expect(verdictOf([" ".repeat(40_000)])).toMatchObject({ signature: "empty_200" });
});
