import { describe, expect, test } from "bun:test";

import { chatToMessages } from "../../../../src/protocol/translate/messages/chat-to-messages.ts";

const HAIKU = "claude-haiku-4-5";
const OPUS = "claude-opus-4-8";
const user = { role: "user", content: "q" };

describe("members", () => {
  const sent = (body: Record<string, unknown>, model = HAIKU) => {
    const { body: translated, ...found } = chatToMessages({ messages: [user], ...body }, { model });
    const { model: _, messages: __, ...members } = translated;
    const all: Record<string, unknown> = { ...members, ...found };
    return all;
  };
  const clean = { lossy: [], refused: [], warnings: [], custom_tools: [] };
  const cap = { max_tokens: 8192 };

  test.each([
    { asks: {}, model: HAIKU, max_tokens: 8192 },
    { asks: {}, model: OPUS, max_tokens: 32_000 },
    { asks: {}, model: "claude-3-haiku", max_tokens: 4096 },
    { asks: { max_completion_tokens: 50 }, model: HAIKU, max_tokens: 50 },
    { asks: { max_tokens: 60, max_completion_tokens: 50 }, model: HAIKU, max_tokens: 50 },
    { asks: { max_tokens: 60 }, model: HAIKU, max_tokens: 60 },
  ])("$asks for $model is max_tokens $max_tokens", ({ asks, model, max_tokens }) => {
    expect(sent(asks, model)).toEqual({ ...clean, max_tokens });
  });

  test.each([
    { asks: { temperature: 1.7 }, sends: { temperature: 1 }, lossy: ["temperature"] },
    {
      asks: { temperature: 0.3, top_p: 0.5, top_k: 4 },
      sends: { temperature: 0.3, top_k: 4 },
      lossy: ["top_p"],
    },
    { asks: { top_p: 0.5 }, sends: { top_p: 0.5 }, lossy: [] },
    { asks: { top_p: "0.5" }, sends: {}, lossy: ["top_p"] },
    {
      asks: { temperature: null, stop: null, n: 1, user: "u", stream: true, stream_options: {} },
      sends: { stream: true, metadata: { user_id: "u" } },
      lossy: [],
    },
    { asks: { stop: ["END", " "] }, sends: { stop_sequences: ["END"] }, lossy: ["stop"] },
    {
      asks: { seed: 1, logit_bias: {}, verbosity: "low", store: true, frequency_penalty: 0.1 },
      sends: {},
      lossy: ["seed", "logit_bias", "verbosity", "store", "frequency_penalty"],
    },
  ])("$asks is sent as $sends", ({ asks, sends, lossy }) => {
    expect(sent(asks)).toEqual({ ...clean, ...cap, ...sends, lossy });
  });

  test("a model without sampling gets none", () => {
    expect(sent({ temperature: 0.3, top_p: 1 }, OPUS)).toEqual({
      ...clean,
      max_tokens: 32_000,
      lossy: ["temperature", "top_p"],
    });
  });

  test("where thinking is on, sampling is off", () => {
    expect(sent({ temperature: 0.3, reasoning_effort: "minimal", max_tokens: 2000 })).toEqual({
      ...clean,
      max_tokens: 2000,
      thinking: { type: "enabled", budget_tokens: 1024 },
      lossy: ["temperature"],
    });
  });

  test("a small cap is not used up by thinking that nobody asked for", () => {
    expect(sent({ max_tokens: 50 }, "claude-sonnet-5-5")).toEqual({
      ...clean,
      max_tokens: 50,
      thinking: { type: "between_tools" },
      lossy: ["thinking"],
      warnings: [expect.stringContaining("name a `reasoning_effort`")],
    });
  });

  test.each([
    { asks: { n: 2 }, param: "n" },
    { asks: { logprobs: true }, param: "logprobs" },
    { asks: { top_logprobs: 3 }, param: "top_logprobs" },
    { asks: { modalities: ["text", "audio"] }, param: "modalities" },
    { asks: { audio: { voice: "x" } }, param: "audio" },
    { asks: { web_search_options: {} }, param: "web_search_options" },
    { asks: { max_tokens: 0 }, param: "max_tokens" },
    { asks: { tools: [{ type: "web_search" }] }, param: "tools[0]" },
    {
      asks: { tools: [{ type: "function", function: { name: "a.b" } }] },
      param: "tools[0].function.name",
    },
  ])("$param is refused", ({ asks, param }) => {
    expect(sent(asks)["refused"]).toEqual([{ param, message: expect.any(String) }]);
  });

  const f = { name: "f", input_schema: { type: "object", properties: {} } };

  test.each([
    { asks: { tool_choice: "auto" }, choice: { type: "auto" } },
    { asks: { tool_choice: "none" }, choice: { type: "none" } },
    { asks: { tool_choice: "required" }, choice: { type: "any" } },
    {
      asks: { tool_choice: { type: "function", function: { name: "f" } } },
      choice: { type: "tool", name: "f" },
    },
    {
      asks: { parallel_tool_calls: false },
      choice: { type: "auto", disable_parallel_tool_use: true },
    },
    { asks: { tool_choice: "none", parallel_tool_calls: false }, choice: { type: "none" } },
  ])("$asks is the choice $choice", ({ asks, choice }) => {
    const declared = [{ type: "function", function: { name: "f", description: "" } }];

    expect(sent({ tools: declared, ...asks })).toEqual({
      ...clean,
      ...cap,
      tools: [f],
      tool_choice: choice,
    });
  });

  test("allowed tools are the ones that are sent", () => {
    const declared = ["f", "g"].map((name) => ({ type: "function", function: { name } }));
    const tool_choice = {
      type: "allowed_tools",
      allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] },
    };

    expect(sent({ tools: declared, tool_choice })).toEqual({
      ...clean,
      ...cap,
      tools: [f],
      tool_choice: { type: "any" },
    });
  });

  test("a custom tool is a function with one text, and its calls are told apart", () => {
    const declared = [
      { type: "custom", custom: { name: "patch", description: "d", format: { type: "grammar" } } },
    ];
    const { tools: written, custom_tools, lossy } = sent({ tools: declared });

    expect(written).toEqual([
      {
        name: "patch",
        description: "d",
        input_schema: {
          type: "object",
          properties: { input: { type: "string" } },
          required: ["input"],
          additionalProperties: false,
        },
      },
    ]);
    expect({ custom_tools, lossy }).toEqual({
      custom_tools: ["patch"],
      lossy: ["tools.custom"],
    });
  });

  test("a model that cannot be forced is asked", () => {
    const declared = [{ type: "function", function: { name: "f" } }];
    const { tool_choice, lossy } = sent(
      { tools: declared, tool_choice: "required" },
      "claude-sonnet-5-5",
    );

    expect({ tool_choice, lossy }).toEqual({
      tool_choice: { type: "auto" },
      lossy: ["tool_choice"],
    });
  });

  test("a forced tool comes before thinking where both do not go together", () => {
    const declared = [{ type: "function", function: { name: "f" } }];
    const { tool_choice, thinking, warnings } = sent({
      tools: declared,
      tool_choice: "required",
      reasoning_effort: "high",
    });

    expect({ tool_choice, thinking, warnings }).toEqual({
      tool_choice: { type: "any" },
      thinking: undefined,
      warnings: [expect.stringContaining("forces a tool")],
    });
  });

  test("a history of calls has its tools declared, though nothing may call them", () => {
    const messages = [
      user,
      { role: "assistant", tool_calls: [{ id: "t1", function: { name: "f", arguments: "" } }] },
      { role: "tool", tool_call_id: "t1", content: "ok" },
    ];
    const { body } = chatToMessages({ messages, tools: [], tool_choice: "auto" }, { model: HAIKU });

    expect(body).toMatchObject({ tools: [f], tool_choice: { type: "none" } });
  });

  const schema = {
    type: "object",
    properties: {
      minimum: { type: "integer", minimum: 1 },
      list: { type: "array", items: { type: "object", properties: {} } },
    },
  };
  const response_format = { type: "json_schema", json_schema: { name: "n", schema } };

  test("a schema is sent as the model takes it", () => {
    expect(sent({ response_format })).toEqual({
      ...clean,
      ...cap,
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: {
              minimum: { type: "integer" },
              list: {
                type: "array",
                items: { type: "object", properties: {}, additionalProperties: false },
              },
            },
            additionalProperties: false,
          },
        },
      },
      lossy: ["response_format.minimum"],
    });
  });

  test.each([
    {
      what: "a model without formats",
      model: "claude-sonnet-4",
      asks: { response_format },
      says: JSON.stringify(schema),
    },
    {
      what: "a schema with free keys",
      model: HAIKU,
      asks: {
        response_format: {
          type: "json_schema",
          json_schema: { schema: { type: "object", additionalProperties: { type: "string" } } },
        },
      },
      says: "additionalProperties",
    },
    {
      what: "any JSON",
      model: HAIKU,
      asks: { response_format: { type: "json_object" } },
      says: "one JSON object",
    },
  ])("$what is asked for in words", ({ model, asks, says }) => {
    const { output_config, system, lossy } = sent(asks, model);

    expect({ output_config, system, lossy }).toEqual({
      output_config: undefined,
      system: expect.stringContaining(says),
      lossy: ["response_format"],
    });
  });
});
