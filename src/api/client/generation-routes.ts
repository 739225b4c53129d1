import { Elysia } from "elysia";

import type { Dialect } from "../../protocol/dialect.ts";
import { describe } from "../describe.ts";
import { CHAT_ANSWER, CHAT_REQUEST, EXTENSION } from "../examples.ts";
import type { Guard } from "../guard.ts";
import type { ClientRequests } from "./client-request.ts";
import { ANSWER_NOTE, foreignAnswer, patiently, RELAY_ERRORS } from "./relayed.ts";
import { ChatBody, CompletionsBody, EmbeddingsBody } from "./schemas.ts";

interface GenerationDependencies extends Pick<ClientRequests, "answer"> {
  readonly guard: Guard;
}

const operation = {
  tag: "client",
  scope: "client",
  envelope: "openai",
  errors: RELAY_ERRORS,
} as const;

/** `parse: "none"` everywhere: the body must reach the upstream as the bytes that were sent. */
export const generationRoutes = ({ guard, answer }: GenerationDependencies) => {
  const from = (dialect: Dialect) => patiently((request) => answer(request, dialect));
  return new Elysia({ name: "api.generation", prefix: "/v1" })
    .onBeforeHandle(guard)
    .post("/chat/completions", from("chat"), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create a chat completion",
        description: "With `stream: true` the answer is a stream of server-sent events.",
        body: { schema: ChatBody, example: CHAT_REQUEST },
        answer: { description: ANSWER_NOTE, schema: foreignAnswer, example: CHAT_ANSWER },
      }),
    })
    .post("/completions", from("completions"), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create a completion (legacy)",
        body: { schema: CompletionsBody, example: { model: "auto", prompt: "Say hello" } },
        answer: { description: ANSWER_NOTE, schema: foreignAnswer, example: COMPLETION_ANSWER },
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
        answer: { description: ANSWER_NOTE, schema: foreignAnswer, example: EMBEDDINGS_ANSWER },
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
