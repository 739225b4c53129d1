import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { MODELS } from "../../../../src/upstream/sim/models.ts";
import {
  answerOf,
  events,
  heard,
  jsonOf,
  MESSAGES,
  NOW,
  received,
  simulation,
} from "./simulation.ts";

const { chat, post } = simulation();
const ask = (content: unknown) => ({ messages: [{ role: "user", content }] });
const whole = async (response: Response) => {
  const { choices } = await answerOf(response);
  return { content: choices[0]?.message.content ?? "none", finish: choices[0]?.finish_reason };
};

test("a whole answer has OpenAI's members", async () => {
  const response = await chat({ model: "echo" });

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await jsonOf(response)).toEqual({
    id: expect.stringMatching(/^chatcmpl-[A-Za-z0-9]{24}$/),
    object: "chat.completion",
    created: NOW / 1000,
    model: "echo",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "one two three four",
          refusal: null,
          annotations: [],
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: {
      prompt_tokens: 4,
      completion_tokens: 4,
      total_tokens: 8,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    service_tier: "default",
    system_fingerprint: "fp_simulator",
  });
});

test("a stream is, byte for byte, role, content, finish, usage and [DONE]", async () => {
  const response = await chat({
    model: "echo",
    ...ask("é two"),
    stream: true,
    stream_options: { include_usage: true },
  });
  const text = await response.text();
  const id = /chatcmpl-\w+/.exec(text)?.[0];

  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const head = `data: {"id":"${id}","object":"chat.completion.chunk","created":${NOW / 1000},"model":"echo","system_fingerprint":"fp_simulator"`;
  const chunk = (delta: string, finish = "null") =>
    `${head},"choices":[{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}],"usage":null}\n\n`;
  expect(text).toBe(
    chunk('{"role":"assistant","content":"","refusal":null}') +
      chunk('{"content":"é"}') +
      chunk('{"content":" two"}') +
      chunk("{}", '"stop"') +
      `${head},"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0}}}\n\n` +
      "data: [DONE]\n\n",
  );
});

test("choices of an answer that is not streamed share its two million tokens", async () => {
  const body = { model: "story", tokens: 10_000_000, n: 100 };
  const answer = await answerOf(chat(body));

  expect(answer.usage.completion_tokens).toBe(2_000_000);
  expect(answer.choices[99]?.finish_reason).toBe("length");
});

test("a stream that was not asked for usage has no usage member", async () => {
  const chunks = await events(await chat({ model: "echo", stream: true }));

  expect(JSON.stringify(chunks)).not.toContain("usage");
});

test("echo gives any text back, streamed and whole", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", minLength: 1, maxLength: 300 }), async (text) => {
      const body = { model: "echo", ...ask(text) };

      expect(await whole(await chat(body))).toEqual({ content: text, finish: "stop" });
      expect(await heard(await chat({ ...body, stream: true }))).toEqual([
        { text, finish: "stop" },
      ]);
    }),
  );
});

test.each([
  {
    name: "the last of several user messages",
    messages: [...MESSAGES, ...ask("last").messages],
    says: "last",
  },
  {
    name: "text parts, other parts left out",
    messages: ask([
      { type: "text", text: "a" },
      { type: "image_url", image_url: { url: "data:," } },
      { type: "text", text: "b" },
    ]).messages,
    says: "a\nb",
  },
  {
    name: "a tool's result",
    messages: [...MESSAGES, { role: "tool", tool_call_id: "x", content: "42" }],
    says: "42",
  },
  {
    name: "the last message where no user spoke",
    messages: [{ role: "system", content: "sys" }],
    says: "sys",
  },
  { name: "nothing, with a remark", messages: ask("").messages, says: "(empty message)" },
])("echo answers $name", async ({ messages, says }) => {
  expect((await whole(await chat({ model: "echo", messages }))).content).toBe(says);
});

test.each([
  { limit: { max_tokens: 2 }, says: "one two", finish: "length" },
  { limit: { max_completion_tokens: 3 }, says: "one two three", finish: "length" },
  { limit: { max_tokens: 4 }, says: "one two three four", finish: "stop" },
  { limit: { stop: " three" }, says: "one two", finish: "stop" },
])("$limit ends an answer as $finish", async ({ limit, says, finish }) => {
  const body = { model: "echo", ...limit };

  expect(await whole(await chat(body))).toEqual({ content: says, finish });
  expect(await heard(await chat({ ...body, stream: true }))).toEqual([{ text: says, finish }]);
});

test("n choices are interleaved in a stream and listed in a whole answer", async () => {
  const body = { model: "echo", ...ask("a b"), n: 2 };

  const chunks = await events(await chat({ ...body, stream: true }));

  expect(chunks.slice(2, 6)).toMatchObject([
    { choices: [{ index: 0, delta: { content: "a" } }] },
    { choices: [{ index: 1, delta: { content: "a" } }] },
    { choices: [{ index: 0, delta: { content: " b" } }] },
    { choices: [{ index: 1, delta: { content: " b" } }] },
  ]);
  expect(await jsonOf(chat(body))).toMatchObject({
    choices: [
      { index: 0, message: { content: "a b" } },
      { index: 1, message: { content: "a b" } },
    ],
    usage: { completion_tokens: 4 },
  });
});

test.each([
  { format: { type: "json_object" }, text: "hi", says: { answer: "hi" } },
  { format: { type: "json_object" }, text: '{"a":1}', says: { a: 1 } },
  {
    format: {
      type: "json_schema",
      json_schema: {
        name: "x",
        schema: { type: "object", properties: { q: { type: "string" }, n: { type: "integer" } } },
      },
    },
    text: "hi",
    says: { q: "hi", n: 1 },
  },
])("$format.type is met by $says", async ({ format, text, says }) => {
  const answer = await whole(await chat({ model: "echo", ...ask(text), response_format: format }));

  expect(JSON.parse(answer.content)).toEqual(says);
});

describe("story", () => {
  test("is as long as asked and never repeats a sentence within 500", async () => {
    const { content } = await whole(await chat({ model: "story", tokens: 8000 }));
    const sentences = content.split(". ");

    expect(sentences.length).toBeGreaterThan(500);
    expect(new Set(sentences.slice(0, 500)).size).toBe(500);
  });

  test("counts its tokens", async () => {
    const answer = await answerOf(chat({ model: "story", tokens: 123 }));

    expect(answer.usage.completion_tokens).toBe(123);
  });
});

const complete = (body: Record<string, unknown>) =>
  post({ model: "echo", ...body }, { path: "completions" });

describe("completions", () => {
  test.each([
    { prompt: "a b", texts: ["a b"] },
    { prompt: ["a", "b"], texts: ["a", "b"] },
    { prompt: [1, 2], texts: ["1 2"] },
    { prompt: [[1, 2], [3]], texts: ["1 2", "3"] },
  ])("the prompt $prompt gives a choice for each text", async ({ prompt, texts }) => {
    expect(await jsonOf(complete({ prompt }))).toMatchObject({
      object: "text_completion",
      choices: texts.map((text, index) => ({
        text,
        index,
        logprobs: null,
        finish_reason: "stop",
      })),
    });
    expect(await heard(await complete({ prompt, stream: true }))).toEqual(
      texts.map((text) => ({ text, finish: "stop" })),
    );
  });

  test("echo repeats the prompt before the answer", async () => {
    const answer = await answerOf(
      complete({ model: "story", prompt: "So: ", echo: true, tokens: 2 }),
    );

    expect(answer.choices[0]?.text).toBe("So: At dawn,");
  });

  test("n counts for each prompt", async () => {
    const answer = await answerOf(complete({ prompt: ["a", "b"], n: 2 }));

    expect(answer.choices.map(({ text }) => text)).toEqual(["a", "a", "b", "b"]);
  });
});

describe("every model", () => {
  const names = Object.entries(MODELS).flatMap(([name, { endpoints }]) =>
    endpoints.map((endpoint) => ({ name, endpoint })),
  );
  const bodies = {
    chat: { messages: MESSAGES },
    completions: { prompt: "hi" },
    embeddings: { input: "hi" },
  };
  const paths = { chat: "chat/completions", completions: "completions", embeddings: "embeddings" };

  test.each(names)(
    "$name answers or fails, never throws, on $endpoint",
    async ({ name, endpoint }) => {
      const { simulator, post: send } = simulation();
      for (const stream of endpoint === "embeddings" ? [false] : [false, true]) {
        const hangUp = new AbortController();
        const path = paths[endpoint];
        const body = {
          model: name,
          ...bodies[endpoint],
          stream,
          ...(name === "stall" && { form: "middle" }),
        };
        const response = await send(body, { path, signal: hangUp.signal });
        if (name === "stall") queueMicrotask(() => hangUp.abort());
        await received(response);
      }

      expect(simulator.counts().open).toBe(0);
    },
  );

  test("is listed, and found by its name", async () => {
    const { simulator } = simulation();
    const get = (path: string) =>
      simulator.fetch(`http://sim.invalid/v1/${path}`, { signal: new AbortController().signal });
    const list = await answerOf(get("models"));

    const listed = list.data.map(({ id }) => id);
    expect(listed).toEqual(Object.keys(MODELS));
    expect(await jsonOf(get("models/echo"))).toMatchObject({ id: "echo" });
    expect((await get("models/gpt%2F4")).status).toBe(404);
    expect((await get("models/%ZZ")).status).toBe(404);
  });
});
