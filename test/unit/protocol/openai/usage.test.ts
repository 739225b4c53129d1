import { expect, test } from "bun:test";

import { readUsage } from "../../../../src/protocol/openai/usage.ts";
import { readStream } from "./read-stream.ts";

const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const COUNTED = { input_tokens: 7, output_tokens: 3 };

test.each([
  { name: "in a chunk of its own", body: { choices: [], usage: USAGE }, counted: COUNTED },
  {
    name: "on the finish chunk",
    body: { choices: [{ finish_reason: "stop" }], usage: USAGE },
    counted: COUNTED,
  },
  {
    name: "under `x_groq`",
    body: { choices: [{}], x_groq: { id: "r", usage: USAGE } },
    counted: COUNTED,
  },
  {
    name: "in both of Groq's places",
    body: { usage: USAGE, x_groq: { usage: { prompt_tokens: 1 } } },
    counted: COUNTED,
  },
  { name: "in a choice", body: { choices: [{ usage: USAGE }] }, counted: COUNTED },
  { name: "in a later choice", body: { choices: [{}, { usage: USAGE }] }, counted: COUNTED },
  {
    name: "in words of another dialect",
    body: { usage: { input_tokens: 7, output_tokens: 3 } },
    counted: COUNTED,
  },
  {
    name: "with cached tokens as DeepSeek names them",
    body: { usage: { ...USAGE, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 3 } },
    counted: { ...COUNTED, cached_input_tokens: 4 },
  },
  {
    name: "with tokens of reasoning as OpenAI names them, part of the output",
    body: { usage: { ...USAGE, completion_tokens_details: { reasoning_tokens: 2 } } },
    counted: { ...COUNTED, reasoning_tokens: 2 },
  },
  {
    name: "with cached tokens as OpenAI names them, part of the prompt",
    body: {
      usage: { ...USAGE, prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 1 } },
    },
    counted: { ...COUNTED, cached_input_tokens: 5, cache_write_tokens: 1 },
  },
  {
    name: "with cached tokens as Moonshot names them",
    body: { usage: { ...USAGE, cached_tokens: 6 } },
    counted: { ...COUNTED, cached_input_tokens: 6 },
  },
  {
    name: "with the cache beside the prompt, as Anthropic counts",
    body: {
      usage: {
        input_tokens: 7,
        cache_read_input_tokens: 10_000,
        cache_creation_input_tokens: 100,
        output_tokens: 20,
      },
    },
    counted: {
      input_tokens: 10_107,
      output_tokens: 20,
      cached_input_tokens: 10_000,
      cache_write_tokens: 100,
    },
  },
  {
    name: "in both dialects, counted once",
    body: {
      usage: {
        prompt_tokens: 10_007,
        input_tokens: 7,
        cache_read_input_tokens: 10_000,
        prompt_tokens_details: { cached_tokens: 10_000 },
        completion_tokens: 20,
        output_tokens: 20,
      },
    },
    counted: { input_tokens: 10_007, output_tokens: 20, cached_input_tokens: 10_000 },
  },
  {
    name: "without the reasoning, which the total has",
    body: { usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 110 } },
    counted: { input_tokens: 7, output_tokens: 103 },
  },
  {
    name: "with a total that is too small",
    body: { usage: { ...USAGE, total_tokens: 3 } },
    counted: COUNTED,
  },
  {
    name: "of an embedding",
    body: { usage: { prompt_tokens: 7, total_tokens: 7 } },
    counted: { input_tokens: 7, output_tokens: null },
  },
  {
    name: "with a cost beside",
    body: { usage: { ...USAGE, cost: 0.1, is_byok: false } },
    counted: { ...COUNTED, cost: 0.1 },
  },
  {
    name: "with a fee beside the cost at the caller's own account",
    body: {
      usage: {
        ...USAGE,
        cost: 0.25,
        is_byok: true,
        cost_details: { upstream_inference_cost: 0.5 },
      },
    },
    counted: { ...COUNTED, cost: 0.75 },
  },
  {
    name: "with a cost that is none",
    body: { usage: { ...USAGE, cost: -1, cached_tokens: "9", prompt_tokens_details: [] } },
    counted: COUNTED,
  },
  {
    name: "in numbers that are none",
    body: { usage: { prompt_tokens: "7", completion_tokens: -1 } },
    counted: { input_tokens: null, output_tokens: null },
  },
  {
    name: "in fractions",
    body: { usage: { prompt_tokens: 7.5, completion_tokens: 3 } },
    counted: { input_tokens: null, output_tokens: 3 },
  },
])("usage is read $name", ({ body, counted }) => {
  expect(readUsage(body)).toMatchObject(counted);
});

test.each([{ usage: null }, { choices: [] }, { usage: 7 }, { x_groq: { id: "r" } }, {}])(
  "%j has no usage",
  (body) => {
    expect(readUsage(body)).toBeUndefined();
  },
);

const usageFrame = (usage: object | null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {} }], usage })}\n\n`;

test("of usage on every chunk the last counts; nothing is summed", () => {
  const { facts } = readStream(
    usageFrame({ prompt_tokens: 7, completion_tokens: 1 }) +
      usageFrame({ prompt_tokens: 7, completion_tokens: 3 }) +
      usageFrame(null),
  );

  expect(facts.usage).toEqual(COUNTED);
});
