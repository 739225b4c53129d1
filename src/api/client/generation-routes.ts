import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { ErrorCode } from "../../protocol/error-codes.ts";
import type { Dialect } from "../../relay/client-request.ts";
import { describe } from "../describe.ts";
import { CHAT_ANSWER, CHAT_REQUEST, EXTENSION } from "../examples.ts";
import type { Guard } from "../guard.ts";
import { ChatBody, CompletionsBody, EmbeddingsBody } from "./schemas.ts";

interface GenerationDependencies {
  readonly guard: Guard;
  readonly answer: (request: Request, dialect: Dialect) => Promise<Response>;
}

/** What can still happen to a request that reached the relay. */
const RELAY_ERRORS: readonly ErrorCode[] = [
  "context_length_exceeded",
  "content_policy",
  "unsupported_parameter",
  "bad_request",
  "insufficient_credits",
  "admin_key_required",
  "model_not_found",
  "rate_limit_exceeded",
  "client_closed_request",
  "upstream_auth",
  "upstream_error",
  "upstream_empty",
  "upstream_bad_answer",
  "upstream_unreachable",
  "stream_interrupted",
  "no_target_available",
  "router_busy",
  "router_shutdown",
  "upstream_overloaded",
  "upstream_timeout",
  "routing_loop",
];

const foreignAnswer = Type.Object({}, { additionalProperties: true });
const operation = {
  tag: "client",
  scope: "client",
  envelope: "openai",
  errors: RELAY_ERRORS,
} as const;
const answerNote = "The upstream's own answer plus the member `veriroute`";

interface Sent {
  readonly request: Request;
  readonly server: { timeout(request: Request, seconds: number): void } | null;
}

/** `parse: "none"` everywhere: the body must reach the upstream as the bytes that were sent. */
export const generationRoutes = ({ guard, answer }: GenerationDependencies) => {
  const from =
    (dialect: Dialect) =>
    ({ request, server }: Sent) => {
      // First of all: an answer may be silent for minutes, longer than the server lets a connection be.
      server?.timeout(request, 0);
      return answer(request, dialect);
    };
  return new Elysia({ name: "api.generation", prefix: "/v1" })
    .onBeforeHandle(guard)
    .post("/chat/completions", from("chat"), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create a chat completion",
        description: "With `stream: true` the answer is a stream of server-sent events.",
        body: { schema: ChatBody, example: CHAT_REQUEST },
        answer: { description: answerNote, schema: foreignAnswer, example: CHAT_ANSWER },
      }),
    })
    .post("/completions", from("completions"), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create a completion (legacy)",
        body: { schema: CompletionsBody, example: { model: "auto", prompt: "Say hello" } },
        answer: { description: answerNote, schema: foreignAnswer, example: COMPLETION_ANSWER },
      }),
    })
    .post("/embeddings", from("embeddings"), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create embeddings",
        description:
          "Fails over only to targets that serve the same model. `sim:embed` is on every router.",
        body: { schema: EmbeddingsBody, example: { model: "sim:embed", input: "hello" } },
        answer: { description: answerNote, schema: foreignAnswer, example: EMBEDDINGS_ANSWER },
      }),
    });
};

const COMPLETION_ANSWER = {
  id: "cmpl-1",
  object: "text_completion",
  created: 1_764_460_800,
  model: "qwen3-30b",
  choices: [{ text: "Hello!", index: 0, logprobs: null, finish_reason: "stop" }],
  veriroute: EXTENSION,
};

const EMBEDDINGS_ANSWER = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.25, -0.5] }],
  model: "nomic-embed-text",
  usage: { prompt_tokens: 1, total_tokens: 1 },
  veriroute: EXTENSION,
};
