import { describe, expect, test } from "bun:test";

import { messagesToChat } from "../../../../src/protocol/translate/messages/messages-to-chat.ts";

const user = { role: "user", content: "q" };

describe("members", () => {
  test.each([
    { asks: { type: "auto" }, wants: { tool_choice: "auto" } },
    { asks: { type: "any" }, wants: { tool_choice: "required" } },
    { asks: { type: "none" }, wants: { tool_choice: "none" } },
    {
      asks: { type: "tool", name: "f" },
      wants: { tool_choice: { type: "function", function: { name: "f" } } },
    },
    {
      asks: { type: "auto", disable_parallel_tool_use: true },
      wants: { tool_choice: "auto", parallel_tool_calls: false },
    },
    { asks: undefined, wants: {} },
  ])("tool_choice $asks becomes $wants", ({ asks, wants }) => {
    const tools = [{ name: "f", description: "d", input_schema: { type: "object" } }];
    const { body } = messagesToChat({ messages: [user], tools, tool_choice: asks });

    expect(body).toEqual({
      messages: [user],
      tools: [
        {
          type: "function",
          function: { name: "f", description: "d", parameters: { type: "object" } },
        },
      ],
      ...wants,
    });
  });

  test("without a tool that is left neither tools nor choice are sent", () => {
    const tools = [{ type: "web_search_20250305", name: "web_search" }];

    expect(messagesToChat({ messages: [user], tools, tool_choice: { type: "auto" } })).toEqual({
      body: { messages: [user] },
      lossy: [],
      refused: [{ param: "tools[0]", message: expect.stringContaining("web_search_20250305") }],
    });
  });

  test.each([
    { body: { thinking: { type: "disabled" } }, effort: "none" },
    { body: { thinking: { type: "between_tools" } }, effort: "none" },
    { body: { thinking: { type: "enabled", budget_tokens: 1024 } }, effort: "minimal" },
    { body: { thinking: { type: "enabled", budget_tokens: 4096 } }, effort: "low" },
    { body: { thinking: { type: "enabled", budget_tokens: 10_000 } }, effort: "medium" },
    { body: { thinking: { type: "enabled", budget_tokens: 31_999 } }, effort: "high" },
    {
      body: { thinking: { type: "adaptive" }, output_config: { effort: "xhigh" } },
      effort: "xhigh",
    },
    { body: { thinking: { type: "adaptive" } }, effort: undefined },
    { body: {}, effort: undefined },
  ])("$body is the effort $effort", ({ body, effort }) => {
    expect(messagesToChat({ messages: [user], ...body }).body["reasoning_effort"]).toBe(effort);
  });

  test.each([
    { what: "loose", schema: { type: "object", properties: { a: {} } }, strict: {} },
    {
      what: "closed",
      schema: {
        type: "object",
        properties: { a: {} },
        required: ["a"],
        additionalProperties: false,
      },
      strict: { strict: true },
    },
  ])("a $what schema for the answer becomes response_format", ({ schema, strict }) => {
    const output_config = { format: { type: "json_schema", schema } };

    expect(messagesToChat({ messages: [user], output_config }).body).toEqual({
      messages: [user],
      response_format: { type: "json_schema", json_schema: { name: "answer", schema, ...strict } },
    });
  });

  test("settings are carried over or named as lost, never silently gone", () => {
    const body = {
      model: "m",
      max_tokens: 50,
      messages: [user],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stream: true,
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
      service_tier: "standard_only",
      context_management: { edits: [] },
      thinking: { type: "enabled", budget_tokens: 2048, block_binding: {} },
      tools: [
        {
          name: "f",
          input_schema: null,
          eager_input_streaming: true,
          cache_control: { type: "ephemeral" },
        },
      ],
      betas: ["x"],
    };

    expect(messagesToChat(body)).toEqual({
      body: {
        model: "m",
        max_tokens: 50,
        messages: [user],
        temperature: 0.5,
        top_p: 0.9,
        stream: true,
        stop: ["END"],
        user: "u1",
        reasoning_effort: "low",
        tools: [
          {
            type: "function",
            function: { name: "f", parameters: { type: "object", properties: {} } },
            cache_control: { type: "ephemeral" },
          },
        ],
      },
      lossy: [
        "tools.eager_input_streaming",
        "thinking.block_binding",
        "service_tier",
        "top_k",
        "context_management",
        "betas",
      ],
      refused: [],
    });
  });

  test("what only Anthropic's servers can do is refused", () => {
    const { refused } = messagesToChat({ messages: [user], mcp_servers: [{ url: "x" }] });

    expect(refused).toEqual([
      { param: "mcp_servers", message: expect.stringContaining("leave it out") },
    ]);
  });
});
