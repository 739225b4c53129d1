import { describe, expect, test } from "bun:test";

import { chatToMessages } from "../../../../src/protocol/translate/messages/chat-to-messages.ts";

const HAIKU = "claude-haiku-4-5";
const OPUS = "claude-opus-4-8";
const user = { role: "user", content: "q" };
const call = (id: string, args = "{}", name = "f") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const use = (id: string, input = {}, name = "f") => ({ type: "tool_use", id, name, input });
const done = (id: string, content: unknown = "ok") => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];

function turnsOf(messages: readonly unknown[], model = HAIKU) {
  const { body, lossy } = chatToMessages({ messages, tools }, { model });
  return { system: body["system"], messages: body["messages"], lossy };
}

const missing = (id: string) => ({
  type: "tool_result",
  tool_use_id: id,
  content: "No result of this call was recorded.",
  is_error: true,
});
const orphan = {
  type: "text",
  text: "[result of a tool call that is not part of this conversation]",
};

describe("turns", () => {
  test.each([
    {
      what: "instructions at the start are the system prompt",
      messages: [
        { role: "developer", content: "a" },
        {
          role: "system",
          content: [{ type: "text", text: "b", cache_control: { type: "ephemeral" } }],
        },
        user,
      ],
      system: [
        { type: "text", text: "a" },
        { type: "text", text: "b", cache_control: { type: "ephemeral" } },
      ],
      wants: [user],
    },
    {
      what: "an instruction in the middle is put into the user's turn",
      messages: [
        user,
        { role: "assistant", content: "a" },
        { role: "system", content: "be brief" },
        user,
      ],
      wants: [
        user,
        { role: "assistant", content: "a" },
        {
          role: "user",
          content: [
            { type: "text", text: "<system>\nbe brief\n</system>" },
            { type: "text", text: "q" },
          ],
        },
      ],
      lossy: ["messages.system"],
    },
    {
      what: "a model that knows system turns gets one after the user's",
      model: OPUS,
      messages: [user, { role: "system", content: "be brief" }],
      wants: [user, { role: "system", content: "be brief" }],
    },
    {
      what: "turns of one role are joined, blank text is left out",
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: " \n" },
        { role: "assistant", content: "" },
        { role: "user", content: "b" },
      ],
      wants: [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
      ],
    },
    {
      what: "results of parallel calls are one turn, whatever stands between them",
      messages: [
        user,
        { role: "assistant", content: "go", tool_calls: [call("t1"), call("t2")] },
        { role: "tool", tool_call_id: "t2", content: "2" },
        { role: "user", content: "and" },
        { role: "tool", tool_call_id: "t1", content: "1" },
      ],
      wants: [
        user,
        { role: "assistant", content: [{ type: "text", text: "go" }, use("t1"), use("t2")] },
        {
          role: "user",
          content: [done("t2", "2"), done("t1", "1"), { type: "text", text: "and" }],
        },
      ],
    },
    {
      what: "calls that were split over messages are one turn",
      messages: [
        user,
        { role: "assistant", content: null, tool_calls: [call("t1")] },
        { role: "assistant", content: "x", tool_calls: [call("t2")] },
        { role: "tool", tool_call_id: "t1", content: "ok" },
        { role: "tool", tool_call_id: "t2", content: "ok" },
      ],
      wants: [
        user,
        { role: "assistant", content: [{ type: "text", text: "x" }, use("t1"), use("t2")] },
        { role: "user", content: [done("t1"), done("t2")] },
      ],
    },
    {
      what: "a call that nobody answered gets a result that says so",
      messages: [
        user,
        { role: "assistant", tool_calls: [call("t1")] },
        { role: "user", content: "stop" },
      ],
      wants: [
        user,
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [missing("t1"), { type: "text", text: "stop" }] },
      ],
      lossy: ["messages.tool_calls"],
    },
    {
      what: "a call at the very end is answered too",
      messages: [user, { role: "assistant", tool_calls: [call("t1")] }],
      wants: [
        user,
        { role: "assistant", content: [use("t1")] },
        { role: "user", content: [missing("t1")] },
      ],
      lossy: ["messages.tool_calls"],
    },
    {
      what: "a result that nobody asked for is told as text",
      messages: [
        user,
        { role: "assistant", content: "a" },
        { role: "tool", tool_call_id: "gone", content: "42" },
      ],
      wants: [
        user,
        { role: "assistant", content: "a" },
        { role: "user", content: [orphan, { type: "text", text: "42" }] },
      ],
      lossy: ["messages.tool"],
    },
    {
      what: "ids that a vendor uses twice or in its own alphabet stay pairs",
      messages: [
        user,
        { role: "assistant", tool_calls: [call("call:1|x")] },
        { role: "tool", tool_call_id: "call:1|x", content: "ok" },
        { role: "assistant", tool_calls: [call("call:1|x"), call("")] },
        { role: "tool", tool_call_id: "call:1|x", content: "ok" },
        { role: "tool", tool_call_id: "", content: "ok" },
      ],
      wants: [
        user,
        { role: "assistant", content: [use("call_1_x")] },
        { role: "user", content: [done("call_1_x")] },
        { role: "assistant", content: [use("call_1_x_2"), use("call")] },
        { role: "user", content: [done("call_1_x_2"), done("call")] },
      ],
    },
    {
      what: "the older form of calls is understood",
      messages: [
        user,
        { role: "assistant", content: null, function_call: { name: "f", arguments: '{"a":1}' } },
        { role: "function", name: "f", content: "ok" },
      ],
      wants: [
        user,
        { role: "assistant", content: [use("f", { a: 1 })] },
        { role: "user", content: [done("f")] },
      ],
    },
    {
      what: "arguments are objects, whatever a model wrote",
      messages: [
        user,
        {
          role: "assistant",
          tool_calls: [
            call("a", ""),
            call("b", "{broken"),
            call("c", "[1]"),
            call("d", '{"x":[1]}', "my.tool"),
          ],
        },
        { role: "tool", tool_call_id: "a", content: "ok" },
        { role: "tool", tool_call_id: "b", content: "ok" },
        { role: "tool", tool_call_id: "c", content: "ok" },
        { role: "tool", tool_call_id: "d", content: "[tool error] no" },
      ],
      wants: [
        user,
        {
          role: "assistant",
          content: [
            use("a"),
            use("b", { _raw: "{broken" }),
            use("c", { _raw: "[1]" }),
            use("d", { x: [1] }, "my_tool"),
          ],
        },
        {
          role: "user",
          content: [
            done("a"),
            done("b"),
            done("c"),
            { ...done("d", "[tool error] no"), is_error: true },
          ],
        },
      ],
    },
    {
      what: "images in a result stay in it",
      messages: [
        user,
        { role: "assistant", tool_calls: [call("t1")] },
        {
          role: "tool",
          tool_call_id: "t1",
          content: [
            { type: "text", text: "shot" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
          ],
        },
      ],
      wants: [
        user,
        { role: "assistant", content: [use("t1")] },
        {
          role: "user",
          content: [
            done("t1", [
              { type: "text", text: "shot" },
              { type: "image", source: { type: "base64", media_type: "image/png", data: "AA" } },
            ]),
          ],
        },
      ],
    },
    {
      what: "a conversation that the assistant opens gets an opening",
      messages: [{ role: "assistant", content: "hi" }, user],
      wants: [
        { role: "user", content: "[the conversation begins with the assistant]" },
        { role: "assistant", content: "hi" },
        user,
      ],
      lossy: ["messages"],
    },
    {
      what: "an answer to be continued ends without white space",
      messages: [user, { role: "assistant", content: "The answer is \n", prefix: true }],
      wants: [user, { role: "assistant", content: "The answer is" }],
    },
    {
      what: "parts of every kind become blocks",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "look", cache_control: { type: "ephemeral" } },
            { type: "image_url", image_url: { url: "https://h/a.png", detail: "high" } },
            { type: "image_url", image_url: { url: "data:image/jpg;base64,AA" } },
            {
              type: "file",
              file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" },
            },
            { type: "file", file: { filename: "n.txt", file_data: "data:text/plain;base64,aMOp" } },
          ],
        },
      ],
      wants: [
        {
          role: "user",
          content: [
            { type: "text", text: "look", cache_control: { type: "ephemeral" } },
            { type: "image", source: { type: "url", url: "https://h/a.png" } },
            { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AA" } },
            {
              type: "document",
              title: "a.pdf",
              source: { type: "base64", media_type: "application/pdf", data: "JVBE" },
            },
            {
              type: "document",
              title: "n.txt",
              source: { type: "text", media_type: "text/plain", data: "hé" },
            },
          ],
        },
      ],
      lossy: ["messages.image_url.detail"],
    },
  ])("$what", ({ messages, model, system, wants, lossy = [] }) => {
    expect(turnsOf(messages, model)).toEqual({ system, messages: wants, lossy });
  });

  test("a model that does not continue answers refuses to", () => {
    const messages = [user, { role: "assistant", content: "The" }];

    expect(chatToMessages({ messages }, { model: "claude-sonnet-4-6" }).refused).toEqual([
      { param: "messages", message: expect.stringContaining("end with a message of the user") },
    ]);
  });

  test.each([
    {
      part: { type: "input_audio", input_audio: { data: "AA", format: "wav" } },
      param: "messages[0].content[0]",
      says: "`input_audio`",
    },
    {
      part: { type: "image_url", image_url: { url: "data:image/svg+xml;base64,AA" } },
      param: "messages[0].content[0].image_url",
      says: "JPEG, PNG, GIF or WebP",
    },
    {
      part: { type: "file", file: { file_id: "f1" } },
      param: "messages[0].content[0].file",
      says: "send `file_data`",
    },
    {
      part: { type: "video_url", video_url: { url: "https://h" } },
      param: "messages[0].content[0]",
      says: "`video_url`",
    },
  ])("$part.type is refused: $says", ({ part, param, says }) => {
    const messages = [{ role: "user", content: [part, { type: "text", text: "q" }] }];

    expect(chatToMessages({ messages }, { model: HAIKU }).refused).toEqual([
      { param, message: expect.stringContaining(says) },
    ]);
  });
});
