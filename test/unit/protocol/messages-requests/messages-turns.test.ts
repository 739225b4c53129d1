import { describe, expect, test } from "bun:test";

import { messagesToChat } from "../../../../src/protocol/translate/messages/messages-to-chat.ts";

const user = { role: "user", content: "q" };
const use = (id: string) => ({ type: "tool_use", id, name: "f", input: { a: 1 } });
const call = (id: string) => ({
  id,
  type: "function",
  function: { name: "f", arguments: '{"a":1}' },
});
const result = (id: string, content: unknown, more = {}) => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  ...more,
});
const png = (data: string) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data },
});
const pngUrl = (data: string) => ({
  type: "image_url",
  image_url: { url: `data:image/png;base64,${data}` },
});

function chatMessagesOf(messages: readonly unknown[], more = {}) {
  const { body, ...found } = messagesToChat({ messages, ...more });
  return { messages: body["messages"], ...found };
}

const NOTHING_LOST = { lossy: [], refused: [] };

describe("turns", () => {
  test.each([
    {
      what: "a system text is the first message",
      more: { system: "s" },
      messages: [user],
      wants: [{ role: "system", content: "s" }, user],
    },
    {
      what: "system blocks keep their cache marks",
      more: {
        system: [
          { type: "text", text: "a" },
          { type: "text", text: "b", cache_control: { type: "ephemeral" } },
        ],
      },
      messages: [user],
      wants: [
        {
          role: "system",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b", cache_control: { type: "ephemeral" } },
          ],
        },
        user,
      ],
    },
    {
      what: "an instruction within the conversation stays where it is",
      messages: [user, { role: "system", content: "be brief" }],
      wants: [user, { role: "system", content: "be brief" }],
    },
    {
      what: "results of tools come first, and what was said around them after",
      messages: [
        user,
        { role: "assistant", content: [use("t1"), use("t2")] },
        {
          role: "user",
          content: [
            { type: "text", text: "note" },
            result("t1", "1"),
            { type: "text", text: "and" },
            result("t2", "2"),
          ],
        },
      ],
      wants: [
        user,
        { role: "assistant", content: null, tool_calls: [call("t1"), call("t2")] },
        { role: "tool", tool_call_id: "t1", content: "1" },
        { role: "tool", tool_call_id: "t2", content: "2" },
        {
          role: "user",
          content: [
            { type: "text", text: "note" },
            { type: "text", text: "and" },
          ],
        },
      ],
    },
    {
      what: "results that are spread over messages are still before what was said",
      messages: [
        user,
        { role: "assistant", content: [use("t1"), use("t2")] },
        { role: "user", content: [{ type: "text", text: "note" }, result("t1", "1")] },
        { role: "user", content: [result("t2", "2")] },
      ],
      wants: [
        user,
        { role: "assistant", content: null, tool_calls: [call("t1"), call("t2")] },
        { role: "tool", tool_call_id: "t1", content: "1" },
        { role: "tool", tool_call_id: "t2", content: "2" },
        { role: "user", content: "note" },
      ],
    },
    {
      what: "text after a call is said beside it",
      messages: [
        user,
        { role: "assistant", content: [use("t1"), { type: "text", text: "running it" }] },
        { role: "user", content: [result("t1", "1")] },
      ],
      wants: [
        user,
        { role: "assistant", content: "running it", tool_calls: [call("t1")] },
        { role: "tool", tool_call_id: "t1", content: "1" },
      ],
    },
    {
      what: "an image in a result follows in a message of the user",
      messages: [
        user,
        { role: "assistant", content: [use("t1")] },
        {
          role: "user",
          content: [result("t1", [{ type: "text", text: "shot" }, png("iVBORw0KGgo=")])],
        },
      ],
      wants: [
        user,
        { role: "assistant", content: null, tool_calls: [call("t1")] },
        { role: "tool", tool_call_id: "t1", content: "shot" },
        { role: "user", content: [pngUrl("iVBORw0KGgo=")] },
      ],
    },
    {
      what: "images of several results say whose they are",
      messages: [
        user,
        { role: "assistant", content: [use("t1"), use("t2")] },
        { role: "user", content: [result("t1", [png("AA")]), result("t2", [png("BB")])] },
      ],
      wants: [
        user,
        { role: "assistant", content: null, tool_calls: [call("t1"), call("t2")] },
        { role: "tool", tool_call_id: "t1", content: "[the result is in the next message]" },
        { role: "tool", tool_call_id: "t2", content: "[the result is in the next message]" },
        {
          role: "user",
          content: [
            { type: "text", text: "[from the result of t1]" },
            pngUrl("AA"),
            { type: "text", text: "[from the result of t2]" },
            pngUrl("BB"),
          ],
        },
      ],
    },
    {
      what: "a result that is an error says so",
      messages: [
        user,
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [result("t1", "no such file", { is_error: true })] },
      ],
      wants: [
        user,
        { role: "assistant", content: null, tool_calls: [call("t1")] },
        { role: "tool", tool_call_id: "t1", content: "[tool error] no such file" },
      ],
    },
    {
      what: "images and documents become parts",
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "url", url: "https://h/a.png" } },
            {
              type: "document",
              title: "a.pdf",
              source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
            },
            {
              type: "document",
              title: "notes",
              source: { type: "text", media_type: "text/plain", data: "hello" },
            },
            {
              type: "document",
              source: { type: "content", content: [{ type: "text", text: "inner" }] },
            },
            {
              type: "search_result",
              title: "t",
              source: "https://h",
              content: [{ type: "text", text: "found" }],
            },
          ],
        },
      ],
      wants: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "https://h/a.png" } },
            {
              type: "file",
              file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" },
            },
            { type: "text", text: "notes\n\nhello" },
            { type: "text", text: "inner" },
            { type: "text", text: "t (https://h)\nfound" },
          ],
        },
      ],
    },
    {
      what: "what was thought goes into the members of chat vendors",
      messages: [
        user,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "c2ln" },
            { type: "redacted_thinking", data: "xx" },
            { type: "text", text: "a" },
          ],
        },
        user,
      ],
      wants: [
        user,
        {
          role: "assistant",
          content: "a",
          reasoning_content: "hm",
          reasoning_details: [
            {
              type: "reasoning.text",
              text: "hm",
              signature: "c2ln",
              format: "anthropic-claude-v1",
              index: 0,
            },
            { type: "reasoning.encrypted", data: "xx", format: "anthropic-claude-v1", index: 1 },
          ],
        },
        user,
      ],
    },
    {
      what: "pieces of one text are joined, separate texts are not run together",
      messages: [
        user,
        {
          role: "assistant",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
            use("t1"),
            { type: "text", text: "c" },
          ],
        },
        { role: "user", content: [result("t1", "1")] },
      ],
      wants: [
        user,
        { role: "assistant", content: "ab\n\nc", tool_calls: [call("t1")] },
        { role: "tool", tool_call_id: "t1", content: "1" },
      ],
    },
  ])("$what", ({ messages, more, wants }) => {
    expect(chatMessagesOf(messages, more)).toEqual({ messages: wants, ...NOTHING_LOST });
  });

  test("what Anthropic's servers did is left out, and said to be", () => {
    const content = [
      { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
      { type: "web_search_tool_result", tool_use_id: "s1", content: [] },
      { type: "text", text: "found it", citations: [{ type: "web_search_result_location" }] },
    ];

    expect(chatMessagesOf([user, { role: "assistant", content }, user])).toEqual({
      messages: [user, { role: "assistant", content: "found it" }, user],
      lossy: ["messages.server_tool_use", "messages.web_search_tool_result", "messages.citations"],
      refused: [],
    });
  });

  test.each([
    {
      block: { type: "image", source: { type: "file", file_id: "file_1" } },
      param: "messages[1].content[1].source",
      says: "file id",
    },
    {
      block: { type: "document", source: { type: "url", url: "https://h/a.pdf" } },
      param: "messages[1].content[1].source",
      says: "as base64 or text",
    },
    {
      block: { type: "container_upload", file_id: "file_1" },
      param: "messages[1].content[1]",
      says: "`container_upload`",
    },
  ])("$block.type that only Anthropic can read is refused: $says", ({ block, param, says }) => {
    const messages = [user, { role: "user", content: [{ type: "text", text: "q" }, block] }];

    expect(chatMessagesOf(messages).refused).toEqual([
      { param, message: expect.stringContaining(says) },
    ]);
  });
});
