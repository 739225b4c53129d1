import { expect, test } from "bun:test";

import { type AnswerFacts, PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { worstVerdict } from "../../../src/verify/judge.ts";
import { charsetProfile } from "../../../src/verify/prompt/prompt-profile.ts";
import { readRequestFacts } from "../../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../../src/verify/scanner.ts";
import { SIGNATURES, signatureTraits } from "../../../src/verify/signatures/table.ts";
import { OK, UNVERIFIABLE } from "../../../src/verify/verdict.ts";

interface Answer extends Partial<AnswerFacts> {
  readonly text?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

function judged({ text = "", body = {}, ...facts }: Answer) {
  const scanner = createScanner({ prompt: charsetProfile(body), request: readRequestFacts(body) });
  scanner.push(text);
  return scanner.end({ ...PLAIN_ANSWER, finish: "stop", ...facts }).verdict;
}

const MANGLED = "It is \u00E2\u0080\u0094 so.";
const LOOP = "I do not know. ".repeat(60);
const ASKS_JSON = { response_format: { type: "json_object" } };

test("signatures are tried in this order", () => {
  expect(SIGNATURES.map(({ name }) => name)).toEqual([
    "client_aborted",
    "invalid_utf8",
    "empty_200",
    "client_capped_empty",
    "mojibake",
    "mojibake_single",
    "self_inflicted",
    "replacement_char",
    "replacement_char_tail",
    "byte_fallback",
    "detok_marker",
    "control_chars",
    "html_error_page",
    "error_json_as_content",
    "error_text_as_content",
    "tool_call_text_leak",
    "chat_template_leak",
    "reasoning_inline",
    "reasoning_leak_orphan",
    "reasoning_leak",
    "tool_json_invalid",
    "tool_unknown_name",
    "structured_invalid",
    "structured_fenced",
    "schema_violation",
    "truncated_stream",
    "repetition_loop",
    "doubled_output",
    "word_salad",
    "stray_leading_token",
    "prompt_echo",
    "wrong_script_burst",
    "content_filter",
    "refusal_text",
    "client_capped_json",
    "client_capped_tool",
    "client_capped_text",
  ]);
});

test.each<{ name: string; answer: Answer; signature: string }>([
  {
    name: "a client that left outranks all",
    answer: { text: MANGLED, is_client_gone: true, is_utf8: false },
    signature: "client_aborted",
  },
  {
    name: "broken bytes outrank what they were read as",
    answer: { text: "mo\uFFFDning", is_utf8: false },
    signature: "invalid_utf8",
  },
  {
    name: "mojibake outranks the characters a strict decoder lost",
    answer: { text: "\u00D1\uFFFD\u00D0\u00BA\u00D0\u00BE \u00D1\u0081\u00D0\u00BE" },
    signature: "mojibake",
  },
  {
    name: "a leaked token outranks broken JSON",
    answer: { text: "{}<|im_end|>", body: ASKS_JSON },
    signature: "chat_template_leak",
  },
  {
    name: "broken JSON outranks a broken stream",
    answer: { text: '{"a":', body: ASKS_JSON, finish: null, is_done: false },
    signature: "structured_invalid",
  },
  {
    name: "a note does not hide a loop",
    answer: { text: `<think>\n${LOOP}`, finish: "length" },
    signature: "repetition_loop",
  },
  {
    name: "a doubt does not hide a broken stream",
    answer: { text: "Use `\uFFFD` here", finish: null, is_done: false },
    signature: "truncated_stream",
  },
  {
    name: "a note outranks a cap",
    answer: { text: "<think>hm", finish: "length" },
    signature: "reasoning_leak",
  },
  {
    name: "a filter outranks the JSON it cut",
    answer: { text: '{"a":', body: ASKS_JSON, finish: "content_filter" },
    signature: "content_filter",
  },
])("$name", ({ answer, signature }) => {
  expect(judged(answer)).toMatchObject({ signature });
});

test.each<{ name: string; answer: Answer; verdict: string }>([
  { name: "calls alone", answer: { has_tool_calls: true }, verdict: "unverifiable" },
  { name: "media alone", answer: { has_media: true }, verdict: "unverifiable" },
  { name: "calls and text", answer: { text: "Sure.", has_tool_calls: true }, verdict: "ok" },
  {
    name: "calls and blanks",
    answer: { text: " \n", has_tool_calls: true },
    verdict: "unverifiable",
  },
])("$name are $verdict, and nobody's fault", ({ answer, verdict }) => {
  expect(judged(answer)).toEqual({ ...OK, verdict: verdict === "ok" ? "ok" : "unverifiable" });
});

test("U+FFFD that the upstream did not send is the router's own, and blames nobody", () => {
  const text = "mo\uFFFDning";

  expect(judged({ text, has_sent_replacement: false })).toEqual({
    ...UNVERIFIABLE,
    signature: "self_inflicted",
  });
  expect(judged({ text, has_sent_replacement: true })).toMatchObject({
    signature: "replacement_char",
    trips: true,
  });
});

test("of several choices the worst one counts", () => {
  const note = judged({ text: "<think>hm</think>Yes." });
  const bad = judged({ text: LOOP });

  expect(worstVerdict([OK, note, bad])).toBe(bad);
  expect(worstVerdict([OK, note])).toBe(note);
  expect(worstVerdict([OK, OK])).toBe(OK);
  expect(worstVerdict([])).toBe(UNVERIFIABLE);
});

test.each([
  { name: "empty_200", needs_whole: false, is_encoding: false, widens: false },
  { name: "html_error_page", needs_whole: false, is_encoding: false, widens: false },
  { name: "stray_leading_token", needs_whole: false, is_encoding: false, widens: false },
  { name: "repetition_loop", needs_whole: true, is_encoding: false, widens: false },
  { name: "mojibake", needs_whole: true, is_encoding: true, widens: false },
  { name: "control_chars", needs_whole: true, is_encoding: true, widens: false },
  { name: "byte_fallback", needs_whole: true, is_encoding: false, widens: false },
  { name: "truncated_stream", needs_whole: true, is_encoding: false, widens: true },
  { name: "no_such", needs_whole: true, is_encoding: false, widens: false },
])(
  "$name is of the encoding: $is_encoding, needs the whole: $needs_whole",
  ({ name, ...traits }) => {
    expect(signatureTraits(name)).toEqual(traits);
  },
);
