import { Elysia } from "elysia";

import { describe } from "../describe.ts";
import { EXTENSION } from "../examples.ts";
import type { Guard } from "../guard.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { ClientRequests } from "./client-request.ts";
import { ANSWER_NOTE, foreignAnswer, patiently, RELAY_ERRORS } from "./relayed.ts";
import { ResponsesBody } from "./schemas.ts";

interface ResponsesDependencies extends Pick<ClientRequests, "answer"> {
  readonly guard: Guard;
}

/** OpenAI's Responses API without its store: every request holds the whole conversation. */
export const responsesRoutes = ({ guard, answer }: ResponsesDependencies) => {
  return new Elysia({ name: "api.responses", prefix: "/v1" })
    .onBeforeHandle(guard)
    .post(
      "/responses",
      patiently((request) => answer(request, "responses")),
      {
        parse: "none",
        detail: describe({
          ...operation,
          summary: "Create a response (OpenAI)",
          description:
            "A target that speaks the Responses API gets the request as it came; for others it is " +
            "translated, and `x-veriroute-warnings` names what they were not told. Nothing is kept: " +
            "`store` is answered with false, and `previous_response_id` works only at a target that " +
            "keeps responses itself.",
          body: { schema: ResponsesBody, example: { model: "auto", input: "Say hello" } },
          answer: { description: ANSWER_NOTE, schema: foreignAnswer, example: ANSWER },
        }),
      },
    )
    .get("/responses", ({ request }) => refuse("responses", onlyPost(request)), hidden)
    .get("/responses/:id", stored, hidden)
    .delete("/responses/:id", stored, hidden)
    .get("/responses/:id/input_items", stored, hidden)
    .post("/responses/:id/cancel", stored, hidden);
};

const stored = () => refuse("responses", NOT_KEPT);

const hidden = { detail: { hide: true } } as const;

const operation = {
  tag: "client",
  scope: "client",
  envelope: "responses",
  errors: [...RELAY_ERRORS, "previous_response_not_found", "item_not_found"],
} as const;

const NOT_KEPT: Refusal = {
  code: "not_found",
  message:
    "This router keeps no responses: whatever `store` says, there is none to fetch, delete or cancel. " +
    "Send the whole conversation as `input` each time.",
};

/** Codex tries a WebSocket first, and goes on over HTTP at once where it is told so in these words. */
function onlyPost({ headers }: Request): Refusal {
  if (headers.get("upgrade")?.toLowerCase() === "websocket") {
    return {
      code: "upgrade_required",
      message: "Responses are served over HTTP only: POST to this path.",
      headers: { upgrade: "HTTP/1.1", connection: "upgrade" },
    };
  }
  return {
    code: "method_not_allowed",
    message: "`/v1/responses` takes POST, not `GET`.",
    headers: { allow: "POST" },
  };
}

const ANSWER = {
  id: "resp_1",
  object: "response",
  created_at: 1_764_460_800,
  status: "completed",
  model: "gpt-5.4",
  output: [
    {
      id: "msg_1",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "Hello!", annotations: [] }],
    },
  ],
  usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
  veriroute: EXTENSION,
};
