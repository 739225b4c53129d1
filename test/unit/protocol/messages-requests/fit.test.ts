import { describe, expect, test } from "bun:test";

import { claudeFacts } from "../../../../src/protocol/anthropic/request/claude-models.ts";
import { dropThinking, fitMessages } from "../../../../src/protocol/anthropic/request/fit.ts";

const user = { role: "user", content: "q" };
const thought = { type: "thinking", thinking: "x", signature: "c2ln" };
const call = { type: "tool_use", id: "t1", name: "f", input: {} };
const result = {
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "t1", content: "1" }],
};

describe("fitMessages", () => {
  test.each([
    {
      model: "claude-haiku-4-5",
      body: {
        thinking: { type: "enabled", budget_tokens: 2000, display: "omitted" },
        temperature: 0.3,
      },
    },
    {
      model: "claude-sonnet-5-5",
      body: { thinking: { type: "adaptive" }, output_config: { effort: "max", format: {} } },
    },
    {
      model: "claude-opus-5",
      body: { thinking: { type: "disabled" }, tool_choice: { type: "any" } },
    },
    { model: "claude-opus-4-6", body: { output_config: {}, top_k: 3 } },
  ])("what $model takes stays as it was", ({ model, body }) => {
    const sent = { ...body, max_tokens: 4096, messages: [user] };

    expect(fitMessages(sent, claudeFacts(model))).toEqual({
      body: sent,
      changed: [],
      warnings: [],
    });
  });

  test("what the model refuses is replaced, and the changed members are named", () => {
    const body = {
      max_tokens: 200_000,
      messages: [user],
      thinking: { type: "enabled", budget_tokens: 9000 },
      output_config: { effort: "minimal", format: { type: "json_schema", schema: {} } },
      temperature: 1,
      tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
    };

    const { warnings, ...fitted } = fitMessages(body, claudeFacts("claude-sonnet-5-5"));

    expect(fitted).toEqual({
      body: {
        max_tokens: 128_000,
        messages: [user],
        thinking: { type: "adaptive" },
        output_config: { format: { type: "json_schema", schema: {} }, effort: "low" },
        tool_choice: { type: "auto", disable_parallel_tool_use: true },
      },
      changed: ["max_tokens", "thinking", "output_config", "temperature", "tool_choice"],
    });
    expect(warnings).toHaveLength(5);
  });

  test("counting tokens has no cap, and gets none", () => {
    const body = { messages: [user], thinking: { type: "enabled", budget_tokens: 2000 } };

    expect(fitMessages(body, claudeFacts("claude-opus-4-7"))).toEqual({
      body: { messages: [user], thinking: { type: "adaptive" } },
      changed: ["thinking"],
      warnings: [expect.stringContaining("`budget_tokens` was left out")],
    });
  });
});

describe("dropThinking", () => {
  test("a body in which nothing was thought is left alone", () => {
    const body = { messages: [user, { role: "assistant", content: "a" }, user] };

    expect(dropThinking(body)).toEqual({ body, changed: [], warnings: [] });
  });

  test("thinking goes from every turn, and a turn that had nothing else goes too", () => {
    const body = {
      thinking: { type: "adaptive" },
      messages: [
        user,
        { role: "assistant", content: [thought] },
        user,
        { role: "assistant", content: [{ type: "redacted_thinking", data: "d" }, thought, call] },
        result,
      ],
    };

    expect(dropThinking(body)).toEqual({
      body: {
        thinking: { type: "adaptive" },
        messages: [user, user, { role: "assistant", content: [call] }, result],
      },
      changed: ["messages"],
      warnings: [expect.stringContaining("another model")],
    });
  });

  test("a tool loop without its thinking goes on without any, where a budget would demand it", () => {
    const thinking = { type: "enabled", budget_tokens: 2000 };
    const messages = [user, { role: "assistant", content: [thought, call] }, result];

    expect(dropThinking({ thinking, messages })).toEqual({
      body: { messages: [user, { role: "assistant", content: [call] }, result] },
      changed: ["thinking", "messages"],
      warnings: [expect.any(String), expect.stringContaining("Thinking is off for this call")],
    });
  });

  test("a new question is thought about again", () => {
    const thinking = { type: "enabled", budget_tokens: 2000 };
    const messages = [
      user,
      { role: "assistant", content: [thought, { type: "text", text: "a" }] },
      user,
    ];

    expect(dropThinking({ thinking, messages }).body).toMatchObject({ thinking });
  });
});
