import { expect, test } from "bun:test";

import type { JsonObject } from "../../../src/protocol/openai/fields.ts";
import { FORMATS } from "../../../src/protocol/translate/formats.ts";

const CLAUDE = { model: "claude-sonnet-4-5" };
const toChat = (dialect: "messages" | "responses", body: JsonObject) =>
  FORMATS[dialect].requestToChat(body).refused;

test.each([
  {
    what: "a message without blocks",
    refused: toChat("messages", { messages: [{ role: "user", content: [] }] }),
    param: "messages",
  },
  {
    what: "an item without parts",
    refused: toChat("responses", { input: [{ role: "user", content: [] }] }),
    param: "input",
  },
  {
    what: "a chat message of blanks",
    refused: FORMATS.messages.requestFromChat(
      { messages: [{ role: "user", content: " " }] },
      CLAUDE,
    ).refused,
    param: "messages",
  },
])("$what leaves nothing to answer, and the client is told", ({ refused, param }) => {
  expect(refused).toEqual([{ param, message: expect.stringContaining("says nothing") }]);
});
