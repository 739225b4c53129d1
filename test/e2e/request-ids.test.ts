import { expect, test } from "bun:test";

import { chat, startRouter } from "../support/router.ts";

const VERSION = { "anthropic-version": "2023-06-01" };
const asks = (model: string, stream = false) => ({ ...chat(model), max_tokens: 10, stream });

test.each([
  { what: "an answer", path: "/v1/messages", body: asks("sim:echo"), status: 200 },
  { what: "a refused body", path: "/v1/messages", body: {}, status: 400 },
  { what: "an unknown model", path: "/v1/messages", body: asks("nobody"), status: 404 },
  { what: "a route that is none", path: "/v1/messages/batches", body: {}, status: 404 },
  {
    what: "a stream whose headers went out before its target was known",
    path: "/v1/messages",
    body: asks("sim:slow?ttft=200ms", true),
    status: 200,
  },
])("$what has the header that SDKs of Anthropic show", async ({ path, body, status }) => {
  await using router = await startRouter({ config: '[server]\nkeepalive_after = "10ms"\n' });

  const answer = await router.post(path, body, { headers: VERSION });
  await answer.text();

  const { headers } = answer;
  expect([answer.status, headers.get("request-id")]).toEqual([status, headers.get("x-request-id")]);
});

test("clients of OpenAI get no second id", async () => {
  await using router = await startRouter();

  const answer = await router.post("/v1/chat/completions", chat("sim:echo"));

  expect(answer.headers.has("request-id")).toBe(false);
});
