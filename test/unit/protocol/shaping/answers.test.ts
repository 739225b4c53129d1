import { describe, expect, test } from "bun:test";

import { arrayOf, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";
import { readUsage } from "../../../../src/protocol/openai/usage.ts";
import { callFrame, chunkFrame, DONE, framesOf, readStream } from "../openai/read-stream.ts";

/** The chunks that a client is sent. */
function chunksOf(out: string): JsonObject[] {
  return framesOf(out).flatMap(({ data }) =>
    data === undefined || data === "[DONE]" ? [] : [objectOf(JSON.parse(data))],
  );
}

const choiceOf = (chunk: JsonObject) => objectOf(arrayOf(chunk["choices"])[0]);

/** The calls as an SDK puts them together: by index, arguments joined, all else replaced. */
function callsOf(out: string): JsonObject[] {
  const calls = new Map<unknown, Record<string, unknown>>();
  for (const chunk of chunksOf(out)) {
    for (const fragment of arrayOf(objectOf(choiceOf(chunk)["delta"])["tool_calls"])) {
      const { index, function: part, ...rest } = objectOf(fragment);
      const call = calls.get(index) ?? { index, arguments: "" };
      const { name, arguments: piece } = objectOf(part);
      const text = typeof piece === "string" ? piece : "";
      const joined = `${typeof call["arguments"] === "string" ? call["arguments"] : ""}${text}`;
      calls.set(index, {
        ...call,
        ...rest,
        ...(name !== undefined && { name }),
        arguments: joined,
      });
    }
  }
  return [...calls.values()];
}

const thinking = (text: string) => ({ type: "thinking", thinking: [{ type: "text", text }] });

/** Spelled as nobody's serialiser would. */
const oddFrame = (delta: string) =>
  `data: {"id": "c", "created": 1.0, "choices":[ {"delta":${delta} ,"index":0} ], "x":1e2}\n\n`;

describe("content in parts", () => {
  test.each([
    {
      name: "a thought",
      sent: { content: [thinking("r")] },
      got: { reasoning_content: "r" },
    },
    {
      name: "a thought in older words, with its role",
      sent: { role: "assistant", content: [{ type: "thinking", thinking: "r" }] },
      got: { reasoning_content: "r", role: "assistant" },
    },
    {
      name: "thought and text at once",
      sent: { content: [thinking("a"), thinking("b"), { type: "text", text: "x" }] },
      got: { reasoning_content: "ab", content: "x" },
    },
    {
      name: "text alone",
      sent: {
        content: [
          { type: "text", text: "x" },
          { type: "text", text: "y" },
        ],
      },
      got: { content: "xy" },
    },
    {
      name: "a thought that is told twice",
      sent: { content: [thinking("r")], reasoning_content: "r" },
      got: { reasoning_content: "r" },
    },
    {
      name: "a thought beside a call",
      sent: {
        content: [thinking("r")],
        tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }],
      },
      got: {
        reasoning_content: "r",
        tool_calls: [
          { index: 0, type: "function", id: "a", function: { name: "f", arguments: "{}" } },
        ],
      },
    },
  ])("$name is text that SDKs can join", ({ sent, got }) => {
    const { out, edits, facts } = readStream(chunkFrame(sent) + DONE);

    expect(choiceOf(chunksOf(out)[0] ?? {})["delta"]).toEqual(got);
    expect(edits).toContain("content_parts");
    expect(facts.content.reasoning || facts.content.text).toBe(true);
  });

  test.each([
    { content: [] },
    { content: null },
    { content: "x" },
    { content: [{ type: "image_url", image_url: { url: "u" } }] },
    {
      content: [
        { type: "text", text: "x" },
        { type: "reference", reference_ids: [1] },
      ],
    },
    { content: [{ type: "text" }] },
  ])("%j stays as it came", (delta) => {
    const text = chunkFrame(delta, "stop") + DONE;

    expect(readStream(text)).toMatchObject({ out: text, edits: [] });
  });

  test("all else of the frame stays byte for byte", () => {
    const { out } = readStream(oddFrame('{ "content":[{"type":"text","text":"é"}], "y":1.50}'));

    expect(out).toBe(oddFrame('{ "content":"é", "y":1.50}'));
  });
});

describe("usage that stands where no client looks", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const hi = chunkFrame({ content: "hi" });
  const inChoice = `data: ${JSON.stringify({ id: "c", created: 7, model: "kimi", choices: [{ index: 0, delta: {}, finish_reason: "stop", usage }] })}\n\n`;
  const inGroq = `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: {}, finish_reason: "stop" }], x_groq: { id: "r", usage } })}\n\n`;
  const shown = `data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\n`;

  test.each([
    { name: "Moonshot's, in a choice", text: hi + inChoice },
    { name: "Groq's own", text: hi + inGroq },
  ])("$name: a client that asked gets it in a chunk of its own", ({ text }) => {
    const { out, facts, edits } = readStream(text + DONE);

    expect(out.startsWith(text)).toBe(true);
    expect(chunksOf(out.slice(text.length))).toMatchObject([{ choices: [], usage }]);
    expect(out.endsWith(DONE)).toBe(true);
    expect({ edits, usage: facts.usage }).toEqual({
      edits: ["usage_chunk"],
      usage: { input_tokens: 10, output_tokens: 5 },
    });
  });

  test("it is like the chunks of its stream", () => {
    const [chunk] = chunksOf(readStream(inChoice + DONE).out.slice(inChoice.length));

    expect(chunk).toEqual({
      id: "c",
      object: "chat.completion.chunk",
      created: 7,
      model: "kimi",
      choices: [],
      usage,
    });
  });

  test.each([
    { name: "already told", text: hi + inGroq + shown, drop_usage: false },
    { name: "told first", text: shown + hi + inChoice, drop_usage: false },
    { name: "not asked for", text: hi + inChoice, drop_usage: true },
    { name: "not there at all", text: hi + chunkFrame({}, "stop"), drop_usage: false },
  ])("$name: nothing is added", ({ text, drop_usage }) => {
    expect(readStream(text + DONE, { drop_usage }).out).toBe(text + DONE);
  });

  test("a stream that broke off gets no end", () => {
    expect(readStream(hi + inChoice).out).toBe(hi + inChoice);
  });
});

const callText = (id: string, extra: object) =>
  JSON.stringify({
    index: 0,
    id,
    type: "function",
    function: { name: "f", arguments: "{}" },
    ...extra,
  });

describe("tool calls", () => {
  const signature = { google: { thought_signature: "c2ln" } };

  test("Gemini's parallel calls share an index; each keeps its signature", () => {
    const text =
      callFrame(callText("a", { extra_content: signature })) +
      callFrame(callText("b", {})) +
      chunkFrame({}, "stop") +
      DONE;
    const { out } = readStream(text);

    expect(callsOf(out)).toEqual([
      { index: 0, id: "a", type: "function", name: "f", arguments: "{}", extra_content: signature },
      { index: 1, id: "b", type: "function", name: "f", arguments: "{}" },
    ]);
    expect(choiceOf(chunksOf(out)[2] ?? {})["finish_reason"]).toBe("tool_calls");
  });

  test("tool-calls-01: a call without index, its continuation with empty id and type", () => {
    const { out } = readStream(
      callFrame(
        '{"id":"c1","type":"function","function":{"name":"save","arguments":"{\\"k\\":"}}',
      ) + callFrame('{"id":"","type":"","function":{"arguments":"1}"}}'),
    );

    expect(callsOf(out)).toEqual([
      { index: 0, id: "c1", type: "function", name: "save", arguments: '{"k":1}' },
    ]);
  });

  test("tool-calls-03: parallel calls with neither id nor an index of their own are two", () => {
    const { out } = readStream(
      callFrame('{"index":0,"function":{"name":"a","arguments":"{\\"u\\":1}"}}') +
        callFrame('{"index":0,"function":{"name":"b","arguments":"{\\"u\\":2}"}}'),
    );

    expect(callsOf(out)).toEqual([
      { index: 0, id: "new-1", type: "function", name: "a", arguments: '{"u":1}' },
      { index: 1, id: "new-2", type: "function", name: "b", arguments: '{"u":2}' },
    ]);
  });
});

test.each([
  {
    name: "role on every chunk",
    deltas: [
      { role: "assistant", content: "a" },
      { role: "assistant", content: "b" },
    ],
  },
  { name: "null beside a role", deltas: [{ role: "assistant", content: null }, { content: "b" }] },
  { name: "empty reasoning beside text", deltas: [{ content: "x", reasoning_content: "" }] },
  { name: "reasoning under either name", deltas: [{ reasoning: "r" }, { reasoning_content: "r" }] },
  {
    name: "tags in the text",
    deltas: [{ content: "<thi" }, { content: "nk>secret</th" }, { content: "ink>A" }],
  },
  { name: "padding", deltas: [{ content: "x", obfuscation: "ab" }] },
  {
    name: "OpenRouter's details",
    deltas: [{ reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] }],
  },
])("$name passes as it came", ({ deltas }) => {
  const text = deltas.map((delta) => chunkFrame(delta)).join("") + chunkFrame({}, "stop") + DONE;

  expect(readStream(text)).toMatchObject({ out: text, edits: [] });
});

test.each([
  {
    name: "xAI leaves reasoning out of the output",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 115,
      completion_tokens_details: { reasoning_tokens: 100 },
    },
    counted: { input_tokens: 10, output_tokens: 105, reasoning_tokens: 100 },
  },
  {
    name: "Gemini too, and tells of no details",
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 35 },
    counted: { input_tokens: 10, output_tokens: 25 },
  },
  {
    name: "DeepSeek's cache is part of the prompt",
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_cache_hit_tokens: 8,
      prompt_cache_miss_tokens: 2,
    },
    counted: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 8 },
  },
  {
    name: "Moonshot's cache stands beside",
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 4 },
    counted: { input_tokens: 10, output_tokens: 5, cached_input_tokens: 4 },
  },
  {
    name: "usage-cost-05: Anthropic's cache is no part of its input",
    usage: {
      input_tokens: 7,
      cache_read_input_tokens: 10_000,
      cache_creation_input_tokens: 0,
      output_tokens: 20,
    },
    counted: {
      input_tokens: 10_007,
      output_tokens: 20,
      cached_input_tokens: 10_000,
      cache_write_tokens: 0,
    },
  },
])("$name", ({ usage, counted }) => {
  expect(readUsage({ usage })).toEqual(counted);
});
