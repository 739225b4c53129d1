import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { sampleSchema } from "../../../../src/upstream/sim/speech/sample.ts";
import { answerOf, events, partsOf, simulation } from "./simulation.ts";

const { chat } = simulation();

const tool = (name: string) => ({
  type: "function",
  function: {
    name,
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
    },
  },
});
const tools = [tool("weather"), tool("news")];
const messages = [{ role: "user", content: "Łódź" }];
const ARGUMENTS = '{"city":"Łódź","days":1}';

async function calls(body: Record<string, unknown>) {
  const { choices } = await answerOf(chat({ messages, ...body }));
  const called = (choices[0]?.message.tool_calls ?? []).map((call) => call.function);
  return { called, finish: choices[0]?.finish_reason };
}

const weather = { name: "weather", arguments: ARGUMENTS };
const news = { name: "news", arguments: ARGUMENTS };
const named = { type: "function", function: { name: "news" } };

test.each([
  { name: "tools calls the first tool", body: { model: "tools", tools }, called: [weather] },
  {
    name: "calls go over the tools in turn",
    body: { model: "tools", tools, calls: 3 },
    called: [weather, news, weather],
  },
  {
    name: "one call without parallel calls",
    body: { model: "tools", tools, calls: 3, parallel_tool_calls: false },
    called: [weather],
  },
  {
    name: "a named tool is called by any model",
    body: { model: "echo", tools, tool_choice: named },
    called: [news],
  },
  {
    name: "a required tool is called by any model",
    body: { model: "echo", tools, tool_choice: "required" },
    called: [weather],
  },
])("$name", async ({ body, called }) => {
  expect(await calls(body)).toEqual({ called: [...called], finish: "tool_calls" });
});

test.each([
  { name: "echo was offered tools", body: { model: "echo", tools } },
  { name: "no tools were offered", body: { model: "tools" } },
  { name: "tools were forbidden", body: { model: "tools", tools, tool_choice: "none" } },
  { name: "the list is empty", body: { model: "tools", tools: [] } },
  {
    name: "the model's fault is in what it says",
    body: { model: "empty", tools, tool_choice: "required" },
  },
  {
    name: "a tool has answered",
    body: { model: "tools", tools, messages: [...messages, { role: "tool", content: "7" }] },
  },
])("nothing is called when $name", async ({ body }) => {
  expect(await calls(body)).toEqual({ called: [], finish: "stop" });
});

test.each([{ fragments: 1 }, { fragments: 2 }, { fragments: 4 }, { fragments: 64 }])(
  "$fragments fragments of a streamed call join to its arguments",
  async ({ fragments }) => {
    const chunks = await events(
      await chat({ model: "tools", messages, tools, calls: 2, fragments, stream: true }),
    );
    const deltas = chunks.flatMap(partsOf).flatMap(({ delta }) => delta?.tool_calls ?? []);

    for (const [index, name] of ["weather", "news"].entries()) {
      const own = deltas.filter((delta) => delta.index === index);
      expect(own[0]).toMatchObject({
        id: expect.stringMatching(/^call_\w{24}$/),
        type: "function",
        function: { name },
      });
      expect(own.slice(1).every((delta) => delta.id === undefined)).toBe(true);
      expect(own.map((delta) => delta.function.arguments).join("")).toBe(ARGUMENTS);
    }
    expect(deltas).toHaveLength(
      fragments === 1 ? 2 : 2 * (1 + Math.min(fragments, ARGUMENTS.length)),
    );
  },
);

test.each([
  { schema: { const: 7 }, sample: 7 },
  { schema: { enum: ["b", "a"] }, sample: "b" },
  { schema: { default: [1] }, sample: [1] },
  { schema: { examples: ["e"] }, sample: "e" },
  { schema: { type: "boolean" }, sample: true },
  { schema: { type: "null" }, sample: null },
  { schema: { type: ["null", "integer"], minimum: 5 }, sample: 5 },
  { schema: { type: "number", exclusiveMinimum: 0 }, sample: 1 },
  { schema: { type: "integer", maximum: -3 }, sample: -3 },
  { schema: { type: "array", items: { type: "integer" } }, sample: [1] },
  { schema: { type: "array", items: { type: "integer" }, minItems: 2 }, sample: [1, 1] },
  { schema: { type: "string", maxLength: 2 }, sample: "te" },
  { schema: { type: "string", minLength: 6 }, sample: "text.." },
  { schema: { properties: { a: {} } }, sample: { a: "text" } },
  { schema: { type: "object" }, sample: {} },
  { schema: { anyOf: [{ type: "null" }, {}] }, sample: null },
  { schema: { $ref: "#/$defs/a~1b", $defs: { "a/b": { const: 1 } } }, sample: 1 },
  { schema: { $ref: "#/nowhere" }, sample: "text" },
  { schema: true, sample: "text" },
])("a sample of $schema is $sample", ({ schema, sample }) => {
  expect(sampleSchema(schema, "text")).toEqual(sample);
});

test("a schema that contains itself has an end", () => {
  const sample = sampleSchema({ type: "object", properties: { next: { $ref: "#" } } }, "text");

  expect(JSON.stringify(sample)).toEndWith('{"next":null}}}}}}}}}');
});

test("a schema that branches without end has a sample of bounded size", () => {
  const properties = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [n, { $ref: "#" }]));
  const sample = sampleSchema({ type: "object", properties }, "text");

  expect(JSON.stringify(sample).length).toBeLessThan(1_000_000);
});

test("any JSON taken as a schema has a sample that is JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (schema) => {
      const sample = sampleSchema(schema, "text");
      expect(JSON.parse(JSON.stringify(sample))).toEqual(sample);
    }),
  );
});
