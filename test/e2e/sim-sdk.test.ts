import { describe, expect, test } from "bun:test";

import OpenAI, { APIError, RateLimitError } from "openai";

import { seededRandom } from "../../src/upstream/sim/draws.ts";
import { createSimulator } from "../../src/upstream/sim/simulator.ts";

/** The simulator taken for a vendor by a real client: no server and no network between them. */
const simulator = createSimulator({
  clock: { now: () => 1_793_491_200_000, elapsed: () => 0 },
  random: seededRandom(1),
});
const client = new OpenAI({
  baseURL: "http://sim.invalid/v1",
  apiKey: "unused",
  maxRetries: 0,
  fetch: (url, init) =>
    simulator.fetch(url instanceof Request ? url.url : String(url), {
      ...(init?.method !== undefined && { method: init.method }),
      ...(typeof init?.body === "string" && { body: init.body }),
      signal: init?.signal ?? new AbortController().signal,
    }),
});

/** Params of the simulator stand beside the members the package knows. */
type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, "messages" | "stream"> &
  SimulatorParams;

interface SimulatorParams {
  readonly calls?: number;
  readonly fragments?: number;
  readonly code?: number;
  readonly form?: string;
  readonly retry_after?: number;
  readonly tokens?: number;
  readonly tokens_per_second?: number;
}

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Grüße, 世界 😀" }];
const tools: OpenAI.ChatCompletionTool[] = [
  {
    type: "function",
    function: {
      name: "weather",
      parameters: { type: "object", properties: { city: { type: "string" } } },
    },
  },
];
const chat = (body: Body) => client.chat.completions.create({ messages, ...body });
/** The strictest reader there is: it refuses a missing role, finish or index. */
const stream = (body: Body) =>
  client.chat.completions.stream({ messages, ...body }).finalChatCompletion();

describe("a real client", () => {
  test("reads a whole answer and a stream alike", async () => {
    const whole = await chat({ model: "echo", n: 2 });
    const streamed = await stream({ model: "echo", n: 2 });

    for (const answer of [whole, streamed]) {
      expect(answer.choices.map(({ message }) => message.content)).toEqual([
        "Grüße, 世界 😀",
        "Grüße, 世界 😀",
      ]);
      expect(answer.choices.map((choice) => choice.finish_reason)).toEqual(["stop", "stop"]);
    }
  });

  test("gets usage with a stream it asked for", async () => {
    const answer = await stream({ model: "echo", stream_options: { include_usage: true } });

    expect(answer.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 });
  });

  test.each([{ fragments: 1 }, { fragments: 5 }])(
    "joins tool calls sent in $fragments fragments",
    async ({ fragments }) => {
      const answers = [
        await chat({ model: "tools", tools, calls: 2, fragments }),
        await stream({ model: "tools", tools, calls: 2, fragments }),
      ];

      for (const { choices } of answers) {
        const calls = choices[0]?.message.tool_calls ?? [];
        expect(calls).toMatchObject(
          [0, 1].map(() => ({
            type: "function",
            function: { name: "weather", arguments: '{"city":"Grüße, 世界 😀"}' },
          })),
        );
        expect(choices[0]?.finish_reason).toBe("tool_calls");
      }
    },
  );

  test("reads a tool's result back from the model", async () => {
    const called = await chat({ model: "tools", tools });
    const call = called.choices[0]?.message;
    const answer = await client.chat.completions.create({
      model: "tools",
      tools,
      messages: [
        ...messages,
        ...(call === undefined ? [] : [call]),
        { role: "tool", tool_call_id: call?.tool_calls?.[0]?.id ?? "", content: "sunny" },
      ],
    });

    expect(answer.choices[0]?.message.content).toBe("sunny");
  });

  test("decodes embeddings, asking for base64 by itself", async () => {
    const input = ["a", "b"];
    const coded = await client.embeddings.create({ model: "embed", input, dimensions: 8 });
    const plain = await client.embeddings.create({
      model: "embed",
      input,
      dimensions: 8,
      encoding_format: "float",
    });

    expect(coded.data.map(({ embedding }) => embedding)).toEqual(
      plain.data.map(({ embedding }) => embedding),
    );
    expect(plain.data[0]?.embedding).toHaveLength(8);
  });

  test("lists the models and completes a prompt", async () => {
    const models = await client.models.list();
    const completion = await client.completions.create({ model: "echo", prompt: ["a", "b"] });

    expect(models.data.map(({ id }) => id)).toContain("story");
    expect(completion.choices.map(({ text }) => text)).toEqual(["a", "b"]);
  });

  test("sees an HTTP error as its own error class", async () => {
    const error = await chat({ model: "status", code: 429, retry_after: 7 }).catch(
      (thrown: unknown) => thrown,
    );

    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
  });

  test.each([
    { model: "cut", form: "eof", says: "missing finish_reason for choice 0" },
    { model: "error200", form: "openai", says: "Bad gateway." },
  ])("notices that a stream of $model went wrong", async ({ says, ...body }) => {
    const error = await stream(body).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toContain(says);
  });

  test("frees the upstream when it aborts", async () => {
    const before = simulator.counts();
    const body: Body = { model: "story", tokens: 1_000_000, tokens_per_second: 1000 };
    const running = client.chat.completions.stream({ messages, ...body });
    running.on("content", () => running.abort());
    const error = await running.done().catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(APIError);
    expect(simulator.counts()).toEqual({ ...before, aborted: before.aborted + 1 });
  });
});
