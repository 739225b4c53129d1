import { expect, test } from "bun:test";

import {
  chatContent,
  completionContent,
  contentOfNothing,
  isContentBearing,
  mergeContent,
} from "../../../../src/protocol/openai/content.ts";

const some = (kind: string) => ({ ...contentOfNothing(), [kind]: true });

test.each([
  { name: "text", delta: { content: "a" }, kind: "text" },
  { name: "a part of text", delta: { content: [{ type: "text", text: "a" }] }, kind: "text" },
  { name: "a lone emoji of joined signs", delta: { content: "👩‍👩‍👧" }, kind: "text" },
  { name: "a replacement character", delta: { content: "\uFFFD" }, kind: "text" },
  { name: "`reasoning`", delta: { content: "", reasoning: "a" }, kind: "reasoning" },
  { name: "`reasoning_content`", delta: { reasoning_content: " " }, kind: "reasoning" },
  { name: "`thinking`", delta: { thinking: "a" }, kind: "reasoning" },
  {
    name: "reasoning text in details",
    delta: { reasoning_details: [{ type: "reasoning.text", text: "a" }] },
    kind: "reasoning",
  },
  {
    name: "a summary in details",
    delta: { reasoning_details: [{ type: "reasoning.summary", summary: "a" }] },
    kind: "reasoning",
  },
  {
    name: "encrypted reasoning in details",
    delta: { reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] },
    kind: "reasoning",
  },
  {
    name: "a tool call of the server in details",
    delta: { reasoning_details: [{ type: "reasoning.server_tool_call" }] },
    kind: "reasoning",
  },
  {
    name: "Mistral's thoughts",
    delta: { content: [{ type: "thinking", thinking: [{ type: "text", text: "a" }] }] },
    kind: "reasoning",
  },
  {
    name: "thoughts as text",
    delta: { content: [{ type: "thinking", thinking: "a" }] },
    kind: "reasoning",
  },
  { name: "a tool call", delta: { content: null, tool_calls: [{ index: 0 }] }, kind: "tool_calls" },
  { name: "a legacy function call", delta: { function_call: { name: "f" } }, kind: "tool_calls" },
  { name: "a refusal", delta: { content: null, refusal: "no" }, kind: "refusal" },
  {
    name: "a part that refuses",
    delta: { content: [{ type: "refusal", refusal: "no" }] },
    kind: "refusal",
  },
  { name: "audio", delta: { audio: { id: "a", data: "AAAA" } }, kind: "media" },
  { name: "a transcript", delta: { audio: { transcript: "hi" } }, kind: "media" },
  { name: "images", delta: { content: "", images: [{ type: "image_url" }] }, kind: "media" },
  {
    name: "an image as a part",
    delta: { content: [{ type: "image_url", image_url: { url: "data:" } }] },
    kind: "media",
  },
])("$name is content", ({ delta, kind }) => {
  const content = chatContent(delta);

  expect(content).toEqual(some(kind));
  expect(isContentBearing(content)).toBe(true);
});

test.each([
  { name: "nothing", delta: {} },
  { name: "a role", delta: { role: "assistant" } },
  { name: "empty text", delta: { role: "assistant", content: "" } },
  {
    name: "null",
    delta: { content: null, reasoning: null, tool_calls: null, refusal: null, audio: null },
  },
  { name: "white space", delta: { content: " \t\r\n\u00A0\u3000\u2028" } },
  {
    name: "zero-width characters",
    delta: { content: "\u200B\u200C\u200D\u200E\u2060\u00AD\uFEFF" },
  },
  { name: "an empty refusal", delta: { refusal: "" } },
  {
    name: "empty reasoning",
    delta: { reasoning: "", reasoning_content: "", reasoning_details: [] },
  },
  {
    name: "a reasoning detail not filled yet",
    delta: { reasoning_details: [{ type: "reasoning.text", text: "", index: 0 }] },
  },
  { name: "an empty list of parts", delta: { content: [] } },
  { name: "a part without text", delta: { content: [{ type: "text", text: "" }] } },
  {
    name: "an empty thought",
    delta: { content: [{ type: "thinking", thinking: [{ type: "text", text: "" }] }] },
  },
  { name: "no tool calls", delta: { tool_calls: [] } },
  { name: "the id of audio to come", delta: { audio: { id: "a", expires_at: 7 } } },
  { name: "no images", delta: { images: [] } },
])("$name is no content", ({ delta }) => {
  expect(chatContent(delta)).toEqual(contentOfNothing());
  expect(isContentBearing(chatContent(delta))).toBe(false);
});

test("a legacy choice has content if its text is visible", () => {
  expect(completionContent({ text: "a" })).toEqual(some("text"));
  expect(completionContent({ text: "\n" })).toEqual(contentOfNothing());
  expect(completionContent({})).toEqual(contentOfNothing());
});

test("merged content is what either had", () => {
  expect(mergeContent(some("text"), some("reasoning"))).toEqual({
    ...some("text"),
    reasoning: true,
  });
});
