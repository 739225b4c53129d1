import { expect, test } from "bun:test";

import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { assistant, call, chatCall, output, read, result } from "./conversation.ts";

const messagesOf = (input: readonly unknown[], members: JsonObject = {}) =>
  read({ input, ...members }).body["messages"];

const IMAGE = { type: "input_image", image_url: "data:image/png;base64,QUJD", detail: "low" };
const CHAT_IMAGE = {
  type: "image_url",
  image_url: { url: "data:image/png;base64,QUJD", detail: "low" },
};

test.each([
  { name: "a text", input: ["hi"], messages: [] },
  {
    name: "an easy message",
    input: [{ role: "user", content: "hi" }],
    messages: [{ role: "user", content: "hi" }],
  },
  {
    name: "a developer's message of one part",
    input: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "be brief" }] },
    ],
    messages: [{ role: "developer", content: "be brief" }],
  },
  {
    name: "text, image and file",
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "see" },
          IMAGE,
          { type: "input_file", file_data: "data:application/pdf;base64,QQ==", filename: "a.pdf" },
        ],
      },
    ],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          CHAT_IMAGE,
          {
            type: "file",
            file: { file_data: "data:application/pdf;base64,QQ==", filename: "a.pdf" },
          },
        ],
      },
    ],
  },
  {
    name: "what the model said, refusal and all",
    input: [
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        content: [
          { type: "output_text", text: "a", annotations: [] },
          { type: "output_text", text: "b" },
          { type: "refusal", refusal: "no" },
        ],
      },
    ],
    messages: [{ role: "assistant", content: "ab", refusal: "no" }],
  },
  {
    name: "a message without content",
    input: [
      { role: "system", content: [] },
      { role: "user", content: "hi" },
    ],
    messages: [{ role: "user", content: "hi" }],
  },
  {
    name: "parallel calls and their results in any order",
    input: [call("a"), call("b"), output("b", "2"), output("a", "1")],
    messages: [
      assistant({ tool_calls: [chatCall("a"), chatCall("b")] }),
      result("a", "1"),
      result("b", "2"),
    ],
  },
  {
    name: "rounds of calls",
    input: [call("a"), output("a"), call("b"), output("b")],
    messages: [
      assistant({ tool_calls: [chatCall("a")] }),
      result("a"),
      assistant({ tool_calls: [chatCall("b")] }),
      result("b"),
    ],
  },
  {
    name: "a call id that is used again",
    input: [call("a"), output("a", "1"), call("a"), output("a", "2")],
    messages: [
      assistant({ tool_calls: [chatCall("a")] }),
      result("a", "1"),
      assistant({ tool_calls: [chatCall("a")] }),
      result("a", "2"),
    ],
  },
  {
    name: "thoughts, words and a call of one turn",
    input: [
      { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "hm" }] },
      { role: "assistant", content: "I look." },
      call("a"),
      output("a"),
    ],
    messages: [
      assistant({ content: "I look.", reasoning_content: "hm", tool_calls: [chatCall("a")] }),
      result("a"),
    ],
  },
  {
    name: "two answers in a row",
    input: [
      { role: "assistant", content: "one" },
      { role: "assistant", content: "two" },
    ],
    messages: [
      { role: "assistant", content: "one" },
      { role: "assistant", content: "two" },
    ],
  },
  {
    name: "a user who speaks before the result",
    input: [call("a"), { role: "user", content: "quick" }, output("a")],
    messages: [
      assistant({ tool_calls: [chatCall("a")] }),
      result("a"),
      { role: "user", content: "quick" },
    ],
  },
  {
    name: "a result without its call",
    input: [output("gone", "42")],
    messages: [{ role: "user", content: "Output of the earlier tool call gone:\n42" }],
  },
  {
    name: "a result of text and image",
    input: [call("a"), output("a", [{ type: "input_text", text: "shot" }, IMAGE])],
    messages: [
      assistant({ tool_calls: [chatCall("a")] }),
      result("a", "shot"),
      {
        role: "user",
        content: [{ type: "text", text: "Attachments of tool call a:" }, CHAT_IMAGE],
      },
    ],
  },
  {
    name: "a call without arguments",
    input: [{ ...call("a"), arguments: "" }, output("a", "")],
    messages: [assistant({ tool_calls: [chatCall("a")] }), result("a", "")],
  },
  {
    name: "a shell that the client ran",
    input: [
      { type: "shell_call", call_id: "s", action: { commands: ["ls"] } },
      { type: "shell_call_output", call_id: "s", output: [{ stdout: "a", stderr: "" }] },
    ],
    messages: [
      assistant({
        tool_calls: [
          {
            id: "s",
            type: "function",
            function: { name: "shell", arguments: '{"commands":["ls"]}' },
          },
        ],
      }),
      result("s", '[{"stdout":"a","stderr":""}]'),
    ],
  },
])("the history keeps $name", ({ input, messages }) => {
  expect(messagesOf(input)).toEqual(messages);
});

test("a text is the user's, and instructions come first", () => {
  expect(read({ instructions: "be brief" }).body["messages"]).toEqual([
    { role: "system", content: "be brief" },
    { role: "user", content: "hi" },
  ]);
});

test("settings take the names of chat", () => {
  const { body, lossy } = read({
    stream: true,
    max_output_tokens: 50,
    temperature: 0.5,
    top_p: 0.9,
    reasoning: { effort: "high", summary: "auto" },
    text: {
      verbosity: "low",
      format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: true },
    },
    include: ["reasoning.encrypted_content", "message.output_text.logprobs"],
    top_logprobs: 3,
    prompt_cache_key: "k",
    safety_identifier: "s",
    service_tier: "flex",
    store: true,
    truncation: "disabled",
    background: false,
    metadata: {},
    client_metadata: { session_id: "x" },
    previous_response_id: null,
  });

  expect({ body, lossy }).toEqual({
    body: {
      model: "m",
      stream: true,
      max_tokens: 50,
      temperature: 0.5,
      top_p: 0.9,
      reasoning_effort: "high",
      verbosity: "low",
      response_format: {
        type: "json_schema",
        json_schema: { name: "n", schema: { type: "object" }, strict: true },
      },
      logprobs: true,
      top_logprobs: 3,
      prompt_cache_key: "k",
      safety_identifier: "s",
      service_tier: "flex",
      messages: [{ role: "user", content: "hi" }],
    },
    lossy: [],
  });
});

test("what has no place in chat is named", () => {
  const { lossy, refused } = read({
    input: [
      { type: "reasoning", summary: [], encrypted_content: "gAAA" },
      { role: "user", content: "hi" },
      { type: "web_search_call", id: "ws" },
    ],
    reasoning: { summary: "detailed", mode: "pro" },
    truncation: "auto",
    metadata: { a: "b" },
    max_tool_calls: 3,
    include: ["web_search_call.action.sources"],
  });

  expect(refused).toEqual([]);
  expect(lossy.toSorted()).toEqual([
    "include",
    "input.reasoning",
    "input.web_search_call",
    "max_tool_calls",
    "metadata",
    "reasoning.mode",
    "reasoning.summary",
    "truncation",
  ]);
});

test.each([
  {
    name: "a response that is not kept",
    members: { previous_response_id: "resp_abc" },
    param: "previous_response_id",
    code: "previous_response_not_found",
    words: "resp_abc",
  },
  {
    name: "an item that is not kept",
    members: { input: [{ type: "item_reference", id: "msg_abc" }] },
    param: "input[0]",
    code: "item_not_found",
    words: "Item with id 'msg_abc' not found",
  },
  {
    name: "a conversation",
    members: { conversation: "conv_1" },
    param: "conversation",
    words: "`input`",
  },
  {
    name: "a prompt template",
    members: { prompt: { id: "p" } },
    param: "prompt",
    words: "`input`",
  },
  {
    name: "a background answer",
    members: { background: true },
    param: "background",
    words: "leave",
  },
  {
    name: "a server tool",
    members: { tools: [{ type: "file_search" }] },
    param: "tools[0]",
    words: "file_search",
  },
  {
    name: "a server tool that is forced",
    members: { tools: [{ type: "web_search" }], tool_choice: { type: "web_search" } },
    param: "tool_choice",
    words: "auto",
  },
  {
    name: "a call that nothing can answer",
    members: { tools: [{ type: "web_search" }], tool_choice: "required" },
    param: "tool_choice",
    words: "auto",
  },
  {
    name: "an image by file id",
    members: { input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] },
    param: "input[0].content[0]",
    words: "image_url",
  },
  {
    name: "a compacted history",
    members: { input: [{ type: "compaction", encrypted_content: "x" }] },
    param: "input[0]",
    words: "compaction",
  },
  {
    name: "a call without its result",
    members: { input: [call("a")] },
    param: "input",
    words: "No tool output found for function call `a`",
  },
])("$name is refused with a way out", ({ members, param, code, words }) => {
  const { refused } = read(members);

  expect(refused.map((each) => ({ param: each.param, code: each.code }))).toEqual([
    { param, code },
  ]);
  expect(refused[0]?.message).toContain(words);
});
