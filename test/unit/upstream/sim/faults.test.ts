import { describe, expect, test } from "bun:test";

import { answerOf, events, heard, jsonOf, received, simulation } from "./simulation.ts";

const { chat, post } = simulation();
const content = async (body: Record<string, unknown>): Promise<string> =>
  (await answerOf(chat(body))).choices[0]?.message.content ?? "none";

describe("empty", () => {
  test.each([
    { form: "blank", message: { content: "" }, deltas: 0 },
    { form: "whitespace", message: { content: " \n\n " }, deltas: 2 },
    {
      form: "reasoning",
      message: { content: "", reasoning_content: expect.any(String) },
      deltas: 17,
    },
  ])("$form is a 200 that stops without a visible word", async ({ form, message, deltas }) => {
    const answer = await answerOf(chat({ model: "empty", form }));
    const chunks = await events(await chat({ model: "empty", form, stream: true }));

    expect(answer.choices).toMatchObject([{ message, finish_reason: "stop" }]);
    expect(chunks).toHaveLength(deltas + 3);
    expect(chunks.slice(-2)).toMatchObject([
      { choices: [{ delta: {}, finish_reason: "stop" }] },
      "[DONE]",
    ]);
  });

  test("choices has none at all", async () => {
    const answer = await answerOf(chat({ model: "empty", form: "choices" }));

    expect(answer.choices).toEqual([]);
    expect(await events(await chat({ model: "empty", form: "choices", stream: true }))).toEqual([
      "[DONE]",
    ]);
  });

  test("embeddings come back without a vector", async () => {
    const response = await post({ model: "empty", input: ["a", "b"] }, { path: "embeddings" });

    expect((await answerOf(response)).data).toEqual([]);
  });
});

describe("mojibake", () => {
  test.each([
    { form: "latin1", layers: 1, shows: "early \u00e2\u0080\u0094 Zo\u00c3\u00ab" },
    { form: "windows-1252", layers: 1, shows: "early \u00e2\u20ac\u201d Zo\u00c3\u00ab" },
    { form: "latin1", layers: 2, shows: "Zo\u00c3\u0083\u00c2\u00ab" },
    { form: "replacement", layers: 1, shows: "early \ufffd Zo\ufffd" },
  ])("$form, $layers deep, shows $shows", async ({ shows, ...params }) => {
    const body = { model: "mojibake", ...params };

    expect(await content(body)).toContain(shows);
    expect((await heard(await chat({ ...body, stream: true })))[0]?.text).toBe(await content(body));
  });

  test.each([{ stream: false }, { stream: true }])(
    "invalid bytes are windows-1252, stream $stream",
    async ({ stream }) => {
      const response = await chat({ model: "mojibake", form: "invalid", stream });
      const bytes = new Uint8Array(await response.arrayBuffer());

      expect(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)).toThrow();
      expect(new TextDecoder("windows-1252").decode(bytes)).toContain("café");
    },
  );
});

describe("loop", () => {
  test("repeats one sentence exactly until its own limit", async () => {
    const answer = await answerOf(chat({ model: "loop", after: 0 }));
    const [choice] = answer.choices;
    const period = " The water rose, and the water fell, and nobody wrote it down.";

    expect(choice?.finish_reason).toBe("length");
    expect(answer.usage.completion_tokens).toBe(512);
    expect(choice?.message.content).toStartWith(period.repeat(40));
  });

  test("ends sooner at the client's limit", async () => {
    const answer = await answerOf(chat({ model: "loop", max_tokens: 20 }));

    expect(answer.usage.completion_tokens).toBe(20);
  });
});

describe("refuse", () => {
  test.each([
    {
      form: "text",
      message: { content: expect.stringContaining("I can't help"), refusal: null },
      finish: "stop",
    },
    {
      form: "field",
      message: { content: null, refusal: expect.stringContaining("I can't help") },
      finish: "stop",
    },
    { form: "content_filter", message: { content: "", refusal: null }, finish: "content_filter" },
  ])("$form", async ({ form, message, finish }) => {
    const answer = await answerOf(chat({ model: "refuse", form }));
    const chunks = await events(await chat({ model: "refuse", form, stream: true }));

    expect(answer.choices).toMatchObject([{ message, finish_reason: finish }]);
    expect(chunks.at(-2)).toMatchObject({ choices: [{ finish_reason: finish }] });
    expect(JSON.stringify(chunks).includes('"delta":{"refusal"')).toBe(form === "field");
  });
});

describe("drift", () => {
  test.each(["es", "pt", "fr", "de", "it", "ru", "zh"])(
    "goes from English into %s",
    async (language) => {
      const text = await content({ model: "drift", language, after: 5 });

      expect(text.startsWith("At dawn, the ferry pilot")).toBe(true);
      expect(text.length).toBeGreaterThan(100);
    },
  );
});

describe("leak", () => {
  test.each([
    { form: "template", shows: "<|im_end|>" },
    { form: "reasoning", shows: "</think>" },
    { form: "tool", shows: "<tool_call>" },
  ])("$form lets $shows through", async ({ form, shows }) => {
    expect(await content({ model: "leak", form })).toContain(shows);
  });
});

describe("cut", () => {
  test.each([
    { form: "reset", error: "ECONNRESET", end: '" three"' },
    { form: "eof", error: null, end: '" three"' },
    { form: "done", error: null, end: "[DONE]" },
  ])("a stream ends by $form without a finish", async ({ form, error, end }) => {
    const got = await received(await chat({ model: "cut", form, stream: true }));

    expect(got.error).toBe(error);
    expect(got.text.split("\n\n").at(-2)).toContain(end);
    expect(got.text).toMatch(/"finish_reason":null/);
    expect(got.text).not.toMatch(/"finish_reason":"/);
  });

  test("an answer shorter than `after` is cut before its finish", async () => {
    const got = await received(await chat({ model: "cut", form: "eof", after: 99, stream: true }));

    expect(got.text).toContain('" four"');
    expect(got.text).not.toMatch(/"finish_reason":"/);
  });

  test.each([
    { form: "reset", error: "ECONNRESET" },
    { form: "eof", error: null },
    { form: "done", error: null },
  ])("a whole answer ends by $form in its middle", async ({ form, error }) => {
    const got = await received(await chat({ model: "cut", form }));

    expect(got.error).toBe(error);
    expect(got.text).toStartWith('{"id":"chatcmpl-');
    expect(() => JSON.parse(got.text)).toThrow();
  });
});

describe("badjson", () => {
  test("a stream holds one event that is no JSON, then [DONE]", async () => {
    const { text } = await received(await chat({ model: "badjson", after: 1, stream: true }));
    const payloads = text.split("\n\n").map((frame) => frame.slice("data: ".length));

    expect(() => JSON.parse(payloads[2] ?? "")).toThrow();
    expect(payloads.slice(3)).toEqual(["[DONE]", ""]);
  });

  test("a whole answer is half of its JSON", async () => {
    const text = await (await chat({ model: "badjson" })).text();

    expect(() => JSON.parse(text)).toThrow();
  });

  test.each([{ stream: false }, { stream: true }])(
    "html is a page with status 200, stream $stream",
    async ({ stream }) => {
      const response = await chat({ model: "badjson", form: "html", stream });

      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await response.text()).toStartWith("<!DOCTYPE html>");
    },
  );
});

describe("error200", () => {
  const openai = {
    error: { message: "Bad gateway.", type: "server_error", param: null, code: "502" },
  };
  const openrouter = {
    error: {
      code: 429,
      message: "Rate limit reached: too many requests in this minute.",
      metadata: { provider_name: "Simulator" },
    },
  };

  test.each([
    { params: {}, error: openai },
    { params: { form: "openrouter", code: 429 }, error: openrouter },
  ])("a whole answer with $params is the error alone", async ({ params, error }) => {
    const response = await chat({ model: "error200", ...params });

    expect({ status: response.status, body: await jsonOf(response) }).toEqual({
      status: 200,
      body: error,
    });
  });

  test("a stream's first event after the role is the error", async () => {
    const chunks = await events(await chat({ model: "error200", stream: true }));

    expect(chunks.slice(1)).toMatchObject([openai, "[DONE]"]);
  });

  test("`openrouter` puts the error beside choices that finish with `error`", async () => {
    const body = { model: "error200", form: "openrouter", code: 429, after: 2, stream: true };
    const chunks = await events(await chat(body));

    expect(chunks).toHaveLength(5);
    expect(chunks[3]).toMatchObject({ ...openrouter, choices: [{ finish_reason: "error" }] });
  });
});

describe("status", () => {
  test.each([
    { code: 400, fields: { type: "invalid_request_error", code: null } },
    { code: 401, fields: { code: "invalid_api_key" } },
    { code: 402, fields: { code: "insufficient_credits" } },
    { code: 403, fields: { code: "permission_denied" } },
    { code: 404, fields: { code: "model_not_found" } },
    { code: 408, fields: { code: "request_timeout" } },
    { code: 413, fields: { code: "request_too_large" } },
    { code: 422, fields: { type: "invalid_request_error" } },
    { code: 429, fields: { code: "rate_limit_exceeded" } },
    { code: 500, fields: { type: "server_error" } },
    { code: 502, fields: { type: "server_error" } },
    { code: 503, fields: { code: "overloaded" } },
    { code: 504, fields: { type: "server_error" } },
    { code: 529, fields: { type: "overloaded_error" } },
    { code: 418, fields: { message: "Request failed with status 418." } },
  ])("$code has a body of its own, stream or not", async ({ code, fields }) => {
    for (const stream of [false, true]) {
      const response = await chat({ model: "status", code, stream });

      expect(response.status).toBe(code);
      expect((await answerOf(response)).error).toMatchObject(fields);
      expect(response.headers.get("retry-after")).toBeNull();
    }
  });

  test.each([
    { form: "context_length", status: 400, code: "context_length_exceeded" },
    { form: "unsupported_parameter", status: 400, code: "unsupported_parameter" },
    { form: "model_not_found", status: 404, code: "model_not_found" },
    { form: "moderation", status: 403, code: 403 },
    { form: "quota", status: 429, code: "insufficient_quota" },
  ])("$form has its usual status $status", async ({ form, status, code }) => {
    const response = await chat({ model: "status", form });

    expect(response.status).toBe(status);
    expect((await answerOf(response)).error.code).toBe(code);
    expect((await chat({ model: "status", form, code: 418 })).status).toBe(418);
  });

  test("html is a gateway's page", async () => {
    const response = await chat({ model: "status", form: "html" });

    expect(response.status).toBe(502);
    expect(await response.text()).toContain("<h1>502 Gateway error</h1>");
  });

  test.each([
    { retry_after: 30, header: "30" },
    { retry_after: 0.2, header: "1" },
    { retry_after: 0, header: "0" },
  ])("retry_after $retry_after is sent as $header", async ({ retry_after, header }) => {
    const response = await chat({ model: "status", code: 429, retry_after });

    expect(response.headers.get("retry-after")).toBe(header);
  });

  test("embeddings fail alike", async () => {
    const response = await post({ model: "status", input: "a", code: 503 }, { path: "embeddings" });

    expect(response.status).toBe(503);
  });
});
