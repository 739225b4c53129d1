import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { readErrorBody } from "../../../src/protocol/error-body.ts";

interface Envelope {
  readonly vendor: string;
  readonly body: string;
  readonly wants: Partial<ReturnType<typeof readErrorBody>>;
}

describe("readErrorBody", () => {
  test.each<Envelope>([
    {
      vendor: "OpenAI",
      body: '{"error":{"message":"m","type":"invalid_request_error","param":"p","code":"c"}}',
      wants: { form: "json", message: "m", type: "invalid_request_error", param: "p", code: "c" },
    },
    {
      vendor: "OpenRouter",
      body: '{"error":{"code":402,"message":"m","metadata":{"limit_source":"openrouter_credits"}},"user_id":"u"}',
      wants: { message: "m", code: "402", status: 402, codes: ["openrouter_credits", "402"] },
    },
    {
      vendor: "Anthropic",
      body: '{"type":"error","error":{"type":"rate_limit_error","message":"m","details":{"error_code":"ramp_limit_exceeded"}}}',
      wants: { message: "m", codes: ["ramp_limit_exceeded", "rate_limit_error", "error"] },
    },
    {
      vendor: "Google, in an array",
      body: '[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"17s"},{"violations":[{"quotaId":"PerDay"}]},{"reason":"R"}]}}]',
      wants: {
        status: 429,
        wait: "17s",
        quotas: ["PerDay"],
        codes: ["r", "429", "resource_exhausted"],
      },
    },
    {
      vendor: "Groq's stream",
      body: 'event: error\ndata: {"error":{"message":"m","status_code":503}}\n\n',
      wants: { form: "sse", is_error: true, message: "m", status: 503 },
    },
    {
      vendor: "Mistral",
      body: '{"object":"error","message":"m","type":"t","param":null,"code":null}',
      wants: { is_error: true, message: "m", type: "t", code: null },
    },
    {
      vendor: "Mistral with an object for a message",
      body: '{"object":"error","message":{"detail":[{"type":"extra_forbidden","loc":["body","x"],"msg":"Not permitted"}]}}',
      wants: { message: "body.x: Not permitted", codes: ["extra_forbidden"] },
    },
    {
      vendor: "FastAPI list",
      body: '{"detail":[{"loc":["body","model"],"msg":"field required","type":"missing"}]}',
      wants: { is_error: true, message: "body.model: field required" },
    },
    {
      vendor: "FastAPI text",
      body: '{"detail":"Unauthorized"}',
      wants: { message: "Unauthorized" },
    },
    {
      vendor: "xAI",
      body: '{"code":"permission-denied","error":"m"}',
      wants: { message: "m", code: "permission-denied", codes: ["permission_denied"] },
    },
    { vendor: "Fireworks", body: '{"error":"text"}', wants: { is_error: true, message: "text" } },
    { vendor: "Together", body: '{"id":"x","error":{"message":"m"}}', wants: { message: "m" } },
    { vendor: "Cohere", body: '{"message":"m"}', wants: { is_error: true, message: "m" } },
    {
      vendor: "NVIDIA NIM",
      body: '{"status":404,"title":"Not Found","detail":"Function x: Not found"}',
      wants: { status: 404, message: "Function x: Not found" },
    },
    {
      vendor: "vLLM",
      body: '{"error":{"message":"m","type":"BadRequestError","param":null,"code":400}}',
      wants: { code: "400", status: 400 },
    },
    {
      vendor: "Ollama's own API",
      body: '{"model":"x","response":"a"}\n{"error":"m"}\n',
      wants: { is_error: true, message: "m" },
    },
    {
      vendor: "old llama.cpp stream",
      body: 'error: {"error":{"code":500,"message":"m","type":"server_error"}}\n\n',
      wants: { form: "sse", message: "m", status: 500 },
    },
    {
      vendor: "Responses",
      body: 'event: response.failed\ndata: {"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"m"}}}\n\n',
      wants: { is_error: true, message: "m", code: "server_error" },
    },
    {
      vendor: "a choice that failed",
      body: '{"choices":[{"index":0,"finish_reason":"error","error":{"code":502,"message":"bad gateway"}}]}',
      wants: { is_error: true, status: 502, message: "bad gateway" },
    },
    {
      vendor: "one-api",
      body: '{"error":{"message":"","type":"upstream_error","param":"422","code":"bad_response_status_code"}}',
      wants: { status: 422, message: null },
    },
    {
      vendor: "CDN page",
      body: "\n<!DOCTYPE html><html><body>502</body></html>",
      wants: { form: "html", message: null, is_error: false },
    },
    {
      vendor: "plain text",
      body: "404 page not found\n",
      wants: { form: "text", message: "404 page not found" },
    },
    { vendor: "nothing", body: " \n", wants: { form: "empty", is_error: false } },
  ])("reads the envelope of $vendor", ({ body, wants }) => {
    expect(readErrorBody(body)).toMatchObject(wants);
  });

  test.each([
    {
      what: "an answer",
      body: '{"id":"x","choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}',
    },
    { what: "an answer with a null error", body: '{"error":null,"choices":[]}' },
    {
      what: "an answer of Ollama's own API",
      body: '{"model":"m","message":{"role":"assistant","content":"x"}}',
    },
    { what: "a finished response", body: '{"object":"response","output":[],"error":null}' },
    {
      what: "an event stream",
      body: 'data: {"choices":[{"delta":{"content":"error"}}]}\n\ndata: [DONE]\n\n',
    },
  ])("$what is no error", ({ body }) => {
    expect(readErrorBody(body).is_error).toBe(false);
  });

  test("an error after lifecycle frames of a stream is found", () => {
    const body =
      'event: message_start\ndata: {"type":"message_start","message":{"role":"assistant"}}\n\n' +
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n';

    expect(readErrorBody(body)).toMatchObject({ is_error: true, message: "Overloaded" });
  });

  test.each([
    { how: "as a string", raw: '{"error":{"message":"inner","type":"t"}}' },
    { how: "as an object", raw: { error: { message: "inner", type: "t" } } },
  ])("the error behind an aggregator is read when quoted $how", ({ raw }) => {
    const body = JSON.stringify({ error: { message: "outer", code: 429, metadata: { raw } } });

    expect(readErrorBody(body)).toMatchObject({
      message: "outer",
      inner: { message: "inner", type: "t" },
    });
  });

  test("the error a relay wrapped into its message is read", () => {
    const message = 'litellm: {"error":{"message":"inner","code":"insufficient_quota"}} (id: 1)';

    expect(readErrorBody(JSON.stringify({ error: { message } })).inner).toMatchObject({
      code: "insufficient_quota",
    });
  });

  test("a piece of the prompt in a message is no envelope", () => {
    const message = 'cannot parse {"message":"insufficient balance"}';

    expect(readErrorBody(JSON.stringify({ error: { message } })).inner).toBeNull();
  });

  test.each([
    { what: "deep nesting", body: `{"error":${"[".repeat(200_000)}${"]".repeat(200_000)}}` },
    { what: "a huge message", body: JSON.stringify({ error: { message: "x".repeat(900_000) } }) },
    { what: "a body beyond the limit", body: `{"error":"${"y".repeat(2_000_000)}"}` },
    { what: "messages within messages", body: nestedMessage(30) },
    { what: "a __proto__ member", body: '{"__proto__":{"error":"x"},"error":{"__proto__":null}}' },
  ])("$what gives a bounded error", ({ body }) => {
    const read = readErrorBody(body);

    expect((read.message ?? "").length).toBeLessThanOrEqual(2000);
    expect(JSON.stringify(read).length).toBeLessThan(20_000);
  });

  test("a body of megabytes is not parsed but read as text", () => {
    expect(readErrorBody(`{"error":"${"y".repeat(2_000_000)}"}`).form).toBe("text");
  });

  test("no text makes it throw, and no message is an object", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((j) => `{"error":${j}}`),
        ),
        (text) => {
          expect(readErrorBody(text).message ?? "").not.toContain("[object Object]");
        },
      ),
    );
  });
});

function nestedMessage(depth: number): string {
  let body = '{"error":{"message":"core"}}';
  for (let level = 0; level < depth && body.length < 500_000; level++) {
    body = JSON.stringify({ error: { message: body } });
  }
  return body;
}
