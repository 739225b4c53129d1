import { expect, test } from "bun:test";

import { chatView } from "../../../src/relay/chat-view.ts";

test("a chat form is written once for a model, however often it is asked for", () => {
  const parsed = { messages: [{ role: "user", content: "hi" }] };
  const { written } = chatView({ dialect: "chat", parsed });

  expect(written.messages("claude-a")).toBe(written.messages("claude-a"));
  expect(written.messages("claude-a")).not.toBe(written.messages("claude-b"));
  expect(written.responses("gpt").body).toMatchObject({ input: [{ role: "user" }] });
});
