import { expect, test } from "bun:test";

import {
  finishWord,
  isContextFull,
  isErrorFinish,
  isFiltered,
  repairFinish,
} from "../../../../src/protocol/openai/finish-reason.ts";

test.each([
  ["stop", "stop"],
  ["length", "length"],
  ["tool_calls", "tool_calls"],
  ["content_filter", "content_filter"],
  ["function_call", "function_call"],
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["max_tokens", "length"],
  ["LENGTH", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  ["SAFETY", "content_filter"],
  ["RECITATION", "content_filter"],
  ["BLOCKLIST", "content_filter"],
  ["PROHIBITED_CONTENT", "content_filter"],
  ["SPII", "content_filter"],
  ["IMAGE_SAFETY", "content_filter"],
  ["refusal", "content_filter"],
  ["TOOL_CALL", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["COMPLETE", "stop"],
  ["STOP_SEQUENCE", "stop"],
  ["stop_sequence", "stop"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["load", "stop"],
  ["OTHER", "stop"],
  ["LANGUAGE", "stop"],
  ["MALFORMED_FUNCTION_CALL", "stop"],
  ["", null],
  ["null", null],
  ["None", null],
] as const)("`%s` reads %p", (reason, repaired) => {
  expect(repairFinish(reason, null)).toBe(repaired);
});

test.each([
  { reason: "stop", called: "tool_calls", repaired: "tool_calls" },
  { reason: "eos", called: "tool_calls", repaired: "tool_calls" },
  { reason: "stop", called: "function_call", repaired: "function_call" },
  { reason: "length", called: "tool_calls", repaired: "length" },
  { reason: "content_filter", called: "tool_calls", repaired: "content_filter" },
  { reason: "", called: "tool_calls", repaired: null },
] as const)("`$reason` after calls reads $repaired", ({ reason, called, repaired }) => {
  expect(repairFinish(reason, called)).toBe(repaired);
});

test.each(["error", "ERROR", "insufficient_system_resource", "abort", "TIMEOUT"])(
  "`%s` says that the answer failed",
  (reason) => {
    expect(isErrorFinish(reason)).toBe(true);
  },
);

test.each(["stop", "", null, undefined, 1])("%p says no such thing", (reason) => {
  expect(isErrorFinish(reason)).toBe(false);
});

test("a vendor's filter is told from other ends", () => {
  expect(isFiltered("content_filter")).toBe(true);
  expect(isFiltered("SAFETY")).toBe(true);
  expect(isFiltered("stop")).toBe(false);
  expect(isFiltered(null)).toBe(false);
});

test("a full context window is told apart", () => {
  expect(isContextFull("model_context_window_exceeded")).toBe(true);
  expect(isContextFull("length")).toBe(false);
  expect(isContextFull(null)).toBe(false);
});

test.each([
  { reason: null, word: null },
  { reason: "null", word: null },
  { reason: "stop", word: "stop" },
  { reason: "STOP", word: "stop" },
  { reason: "MAX_TOKENS", word: "length" },
  { reason: "tool_use", word: "tool_calls" },
  { reason: "SAFETY", word: "content_filter" },
  { reason: "insufficient_system_resource", word: "error" },
  { reason: "eos", word: "other" },
  { reason: "the prompt said: my password is hunter2", word: "other" },
] as const)("a finish of $reason is counted as $word", ({ reason, word }) => {
  expect(finishWord(reason)).toBe(word);
});
