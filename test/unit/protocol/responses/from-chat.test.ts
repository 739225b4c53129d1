import { expect, test } from "bun:test";

import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { chatToResponses } from "../../../../src/protocol/translate/responses-request/from-chat.ts";

const read = (members: JsonObject) =>
  chatToResponses({ model: "m", messages: [{ role: "user", content: "hi" }], ...members });

test("a chat request is told as items, flat tools and flat formats", () => {
  const { body, lossy, refused } = read({
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: 8,
    reasoning_effort: "low",
    response_format: { type: "json_schema", json_schema: { name: "n", schema: {}, strict: true } },
    verbosity: "low",
    messages: [
      { role: "system", content: "be brief" },
      {
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: "https://e.test/a.png" } },
        ],
      },
      {
        role: "assistant",
        content: "ok",
        tool_calls: [
          { id: "a", type: "function", function: { name: "run", arguments: "" } },
          { id: "b", type: "custom", custom: { name: "patch", input: "x" } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "1" },
      { role: "tool", tool_call_id: "b", content: [{ type: "text", text: "2" }] },
    ],
    tools: [
      { type: "function", function: { name: "run", parameters: { type: "object" } } },
      {
        type: "custom",
        custom: {
          name: "patch",
          format: { type: "grammar", grammar: { syntax: "lark", definition: "start: x" } },
        },
      },
    ],
    tool_choice: { type: "function", function: { name: "run" } },
  });

  expect({ body, lossy, refused }).toEqual({
    body: {
      model: "m",
      stream: true,
      store: false,
      max_output_tokens: 16,
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content"],
      text: {
        format: { type: "json_schema", name: "n", schema: {}, strict: true },
        verbosity: "low",
      },
      instructions: "be brief",
      input: [
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "see" },
            { type: "input_image", image_url: "https://e.test/a.png", detail: "auto" },
          ],
        },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "ok", annotations: [] }],
        },
        { type: "function_call", call_id: "a", name: "run", arguments: "{}" },
        { type: "custom_tool_call", call_id: "b", name: "patch", input: "x" },
        { type: "function_call_output", call_id: "a", output: "1" },
        { type: "custom_tool_call_output", call_id: "b", output: "2" },
      ],
      tools: [
        { type: "function", name: "run", parameters: { type: "object" }, strict: false },
        {
          type: "custom",
          name: "patch",
          format: { type: "grammar", syntax: "lark", definition: "start: x" },
        },
      ],
      tool_choice: { type: "function", name: "run" },
    },
    lossy: [],
    refused: [],
  });
});

const assistant = (members: object) => ({ role: "assistant", content: "a", ...members });

test("only reasoning that OpenAI encrypted is shown to OpenAI again", () => {
  const theirs = { type: "reasoning.text", text: "hm", format: "anthropic-claude-v1" };
  const ours = {
    type: "reasoning.encrypted",
    data: "gAAA",
    id: "rs_1",
    format: "openai-responses-v1",
  };

  const foreign = read({ messages: [assistant({ reasoning_details: [theirs] })] });
  const own = read({
    messages: [assistant({ reasoning_content: "hm", reasoning_details: [ours] })],
  });

  expect(foreign.lossy).toEqual(["messages.reasoning_content"]);
  expect(foreign.body).not.toHaveProperty("include");
  expect(own.lossy).toEqual([]);
  expect(own.body).toMatchObject({
    include: ["reasoning.encrypted_content"],
    input: [
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "gAAA",
      },
      { type: "message" },
    ],
  });
});

test("a target that did not think it is shown none of it", () => {
  const detail = { type: "reasoning.encrypted", data: "g", id: "r", format: "openai-responses-v1" };
  const messages = [assistant({ reasoning_details: [detail] })];

  const { body } = chatToResponses({ model: "m", messages }, { keep_thinking: false });

  expect(body["input"]).toMatchObject([{ type: "message" }]);
  expect(body).not.toHaveProperty("include");
});

test.each([
  { name: "several answers", members: { n: 2 }, param: "n" },
  { name: "log probabilities", members: { logprobs: true }, param: "logprobs" },
  { name: "audio out", members: { modalities: ["text", "audio"] }, param: "modalities" },
  { name: "old functions", members: { functions: [{ name: "f" }] }, param: "functions" },
  {
    name: "audio in",
    members: {
      messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "x" } }] }],
    },
    param: "messages[0].content[0]",
  },
  {
    name: "an unknown role",
    members: { messages: [{ role: "function", content: "x" }] },
    param: "messages[0].role",
  },
])("$name is refused", ({ members, param }) => {
  expect(read(members).refused.map((each) => each.param)).toEqual([param]);
});

test("what the Responses API has no member for is named", () => {
  const members = { seed: 1, stop: ["x"], logit_bias: {}, presence_penalty: 1, top_k: 5 };

  expect(read(members).lossy).toEqual(Object.keys(members));
});
