import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { describe } from "../describe.ts";
import { EXTENSION } from "../examples.ts";
import type { Guard } from "../guard.ts";
import type { ClientRequests } from "./client-request.ts";
import { ANSWER_NOTE, foreignAnswer, patiently, RELAY_ERRORS } from "./relayed.ts";
import { CountedBody, MessagesBody } from "./schemas.ts";

interface MessagesDependencies extends ClientRequests {
  readonly guard: Guard;
}

/** Where clients arrive whose base URL ends as that of another gateway, or with `/v1` once too often. */
const OTHER_PREFIXES = ["/anthropic/v1", "/v1/v1"];

/** What clients of Anthropic's Messages API call, in its own error envelope. */
export const messagesRoutes = ({ guard, answer, countTokens }: MessagesDependencies) => {
  const create = patiently((request) => answer(request, "messages"));
  const count = patiently(countTokens);
  const hidden = { parse: "none", detail: { hide: true } } as const;
  const others = OTHER_PREFIXES.map((prefix) =>
    new Elysia({ name: `api.messages${prefix}`, prefix })
      .onBeforeHandle(guard)
      .post("/messages", create, hidden)
      .post("/messages/count_tokens", count, hidden),
  );
  const documented = new Elysia({ name: "api.messages", prefix: "/v1" })
    .onBeforeHandle(guard)
    .post("/messages", create, {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create a message (Anthropic)",
        description:
          "Anthropic's Messages API, for any target. A target that speaks it gets the request as it " +
          "came; for others it is translated, and `x-veriroute-warnings` names what they were not told.",
        body: { schema: MessagesBody, example: REQUEST },
        answer: { description: ANSWER_NOTE, schema: foreignAnswer, example: ANSWER },
      }),
    })
    .post("/messages/count_tokens", count, {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Count the tokens of a message (Anthropic)",
        description:
          "Asked of the first target that can count; else the router estimates, four characters a token.",
        body: { schema: CountedBody, example: { model: "auto", messages: REQUEST.messages } },
        answer: { description: "The count", schema: Count, example: { input_tokens: 9 } },
      }),
    });
  return new Elysia({ name: "api.messages.all" }).use(documented).use(others);
};

const operation = {
  tag: "client",
  scope: "client",
  envelope: "anthropic",
  errors: RELAY_ERRORS,
} as const;

const Count = Type.Object({ input_tokens: Type.Integer() }, { additionalProperties: false });

const REQUEST = {
  model: "auto",
  max_tokens: 1024,
  messages: [{ role: "user", content: "Say hello" }],
};

const ANSWER = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5-5",
  content: [{ type: "text", text: "Hello!" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 3 },
  veriroute: EXTENSION,
};
