import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { answerOf, jsonOf, simulation } from "./simulation.ts";

const { post } = simulation();

const embed = (body: Record<string, unknown>) =>
  post({ model: "embed", ...body }, { path: "embeddings" });

async function vectors(body: Record<string, unknown>): Promise<number[][]> {
  return (await answerOf(embed(body))).data.map(({ embedding }) => embedding);
}

test("an answer has OpenAI's members, one entry for each input in order", async () => {
  expect(await jsonOf(embed({ input: ["one two", "three"], dimensions: 2 }))).toEqual({
    object: "list",
    data: [0, 1].map((index) => ({
      object: "embedding",
      index,
      embedding: [expect.any(Number), expect.any(Number)],
    })),
    model: "embed",
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
});

test("every text has a unit vector of its own, the same each time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
      const [first = []] = await vectors({ input: text });

      expect(first).toHaveLength(256);
      expect(Math.hypot(...first)).toBeCloseTo(1, 5);
      expect(await vectors({ input: [text, `${text}!`] })).toEqual([
        first,
        expect.not.arrayContaining(first),
      ]);
    }),
    { numRuns: 30 },
  );
});

test("base64 holds the same numbers as little-endian 32-bit floats", async () => {
  const [floats = []] = await vectors({ input: "x", dimensions: 300 });
  const { data } = await answerOf(
    embed({ input: "x", dimensions: 300, encoding_format: "base64" }),
  );
  const bytes = Buffer.from(String(data[0]?.embedding), "base64");

  expect(floats.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(floats);
  expect(bytes).toHaveLength(1200);
});

test("token arrays are texts of their own", async () => {
  expect(await vectors({ input: [[1, 2], [3]] })).toEqual(await vectors({ input: ["1 2", "3"] }));
  expect(await vectors({ input: [1, 2] })).toEqual(await vectors({ input: "1 2" }));
});
