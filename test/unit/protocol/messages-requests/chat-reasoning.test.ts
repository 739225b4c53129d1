import { describe, expect, test } from "bun:test";

import { chatToMessages } from "../../../../src/protocol/translate/messages/chat-to-messages.ts";

const HAIKU = "claude-haiku-4-5";
const OPUS = "claude-opus-4-8";
const user = { role: "user", content: "q" };
const use = { type: "tool_use", id: "t1", name: "f", input: {} };
const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];

function loop(details: readonly unknown[]) {
  const call = { id: "t1", type: "function", function: { name: "f", arguments: "{}" } };
  return [
    user,
    {
      role: "assistant",
      content: null,
      reasoning_content: "hm",
      reasoning_details: details,
      tool_calls: [call],
    },
    { role: "tool", tool_call_id: "t1", content: "ok" },
  ];
}

describe("what was thought before", () => {
  const signed = {
    type: "reasoning.text",
    text: "hm",
    signature: "c2ln",
    format: "anthropic-claude-v1",
    index: 0,
  };
  const hidden = {
    type: "reasoning.encrypted",
    data: "xx",
    format: "anthropic-claude-v1",
    index: 1,
  };
  const foreign = {
    type: "reasoning.text",
    text: "hm",
    signature: "c2ln",
    format: "google-gemini-v1",
    index: 2,
  };
  const unsigned = { ...signed, signature: "" };
  test("is replayed in order as far as Anthropic signed it", () => {
    const messages = loop([signed, hidden, foreign, unsigned]);
    const { body, lossy } = chatToMessages(
      { messages, tools, reasoning_effort: "low" },
      { model: HAIKU },
    );

    expect(body).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 4096 },
      messages: [
        user,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "c2ln" },
            { type: "redacted_thinking", data: "xx" },
            use,
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "ok" }] },
      ],
    });
    expect(lossy).toEqual(["messages.reasoning_details"]);
  });

  test.each([
    { what: "another model's", keep_thinking: false, details: [signed] },
    { what: "another vendor's", keep_thinking: true, details: [foreign, unsigned] },
  ])("is dropped if $what, and a budget with it", ({ keep_thinking, details }) => {
    const asked = { messages: loop(details), tools, reasoning_effort: "low" };
    const { body, warnings } = chatToMessages(asked, { model: HAIKU, keep_thinking });

    expect(body["thinking"]).toBeUndefined();
    expect(body["messages"]).toContainEqual({ role: "assistant", content: [use] });
    expect(warnings).toEqual([expect.stringContaining("Thinking is off for this call")]);
  });

  test("is not needed where the model decides itself", () => {
    const asked = { messages: loop([]), tools, reasoning_effort: "low" };
    const { body, warnings } = chatToMessages(asked, { model: OPUS });

    expect(body["thinking"]).toEqual({ type: "adaptive" });
    expect(warnings).toEqual([]);
  });
});
