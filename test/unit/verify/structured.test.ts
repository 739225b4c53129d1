import { expect, test } from "bun:test";

import type { JsonObject } from "../../../src/protocol/openai/fields.ts";
import { checkSchema, type SchemaCheck } from "../../../src/verify/structured/check-schema.ts";
import { type JsonJudgement, judgeJson } from "../../../src/verify/structured/judge-json.ts";
import { costPerLeaf, shapeOf } from "../../../src/verify/structured/schema-cost.ts";

const PERSON: JsonObject = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "integer" }, role: { enum: ["a", "b"] } },
  required: ["name", "age"],
  additionalProperties: false,
};

test.each<{ name: string; text: string; judged: JsonJudgement }>([
  { name: "a fitting object", text: '{"name":"Ana","age":3}', judged: { kind: "fits" } },
  { name: "blanks around it", text: ' \n{"name":"Ana","age":3}\n', judged: { kind: "fits" } },
  { name: "a fence", text: '```json\n{"name":"Ana","age":3}\n```', judged: { kind: "fenced" } },
  { name: "a fence around no JSON", text: "```json\n{name}\n```", judged: { kind: "invalid" } },
  { name: "words before it", text: 'Here: {"a":1}', judged: { kind: "invalid" } },
  { name: "a refusal", text: "I cannot help with that.", judged: { kind: "invalid" } },
  { name: "a list in Markdown", text: "# title\n- one", judged: { kind: "invalid" } },
  { name: "a number cut short", text: '{"name":"Ana","age":3', judged: { kind: "invalid" } },
  { name: "NaN", text: '{"name":"Ana","age":NaN}', judged: { kind: "invalid" } },
  { name: "two objects", text: '{"a":1}{"a":2}', judged: { kind: "invalid" } },
  { name: "a byte order mark", text: '\uFEFF{"name":"Ana","age":3}', judged: { kind: "invalid" } },
  {
    name: "a member missing",
    text: '{"name":"Ana"}',
    judged: { kind: "violates", keyword: "required" },
  },
  {
    name: "a member of the wrong type",
    text: '{"name":"Ana","age":"3"}',
    judged: { kind: "violates", keyword: "type" },
  },
  {
    name: "a value outside of the list",
    text: '{"name":"Ana","age":3,"role":"c"}',
    judged: { kind: "violates", keyword: "enum" },
  },
])("$name is judged as it is, never repaired", ({ text, judged }) => {
  expect(judgeJson(text, { kind: "json_schema", schema: PERSON })).toEqual(judged);
});

test("a member too many is named by a keyword, not by its name", () => {
  const judged = judgeJson('{"name":"Ana","age":3,"SECRET":1}', {
    kind: "json_schema",
    schema: PERSON,
  });

  expect(judged.kind).toBe("violates");
  expect(JSON.stringify(judged)).not.toContain("SECRET");
});

test("`json_object` wants an object, of any shape if no schema came with it", () => {
  const any = { kind: "json_object", schema: null } as const;

  expect(judgeJson('{"a":1}', any)).toEqual({ kind: "fits" });
  expect(judgeJson("[1]", any)).toEqual({ kind: "violates", keyword: "type" });
  expect(judgeJson('"a"', any)).toEqual({ kind: "violates", keyword: "type" });
  expect(judgeJson('{"a":1}', { kind: "json_object", schema: PERSON })).toMatchObject({
    kind: "violates",
  });
});

test.each<{ name: string; schema: JsonObject; value: unknown }>([
  {
    name: "a pattern",
    schema: { type: "string", pattern: "^(a+)+$" },
    value: `${"a".repeat(60)}!`,
  },
  { name: "a format", schema: { type: "string", format: "date" }, value: "tomorrow" },
  { name: "uniqueness", schema: { uniqueItems: true }, value: [1, 1] },
  {
    name: "patterns for names",
    schema: { patternProperties: { "^x": {} }, additionalProperties: false },
    value: { y: 1 },
  },
  { name: "the opposite of a pattern", schema: { not: { pattern: "a" } }, value: "b" },
  {
    name: "one of two patterns",
    schema: {
      oneOf: [
        { type: "string", pattern: "a" },
        { type: "string", pattern: "b" },
      ],
    },
    value: "a",
  },
])("$name is not judged", ({ schema, value }) => {
  expect(checkSchema(value, schema)).toEqual({ kind: "fits" });
});

test("members called like keywords are members", () => {
  const schema = { properties: { pattern: { type: "string" }, format: { type: "integer" } } };

  expect(checkSchema({ pattern: "x", format: 1 }, schema)).toEqual({ kind: "fits" });
  expect(checkSchema({ pattern: 1 }, schema)).toEqual({ kind: "violates", keyword: "type" });
});

test("a schema that refers to itself fits a tree", () => {
  const schema = {
    type: "object",
    properties: { children: { type: "array", items: { $ref: "#" } }, n: { type: "integer" } },
    required: ["n"],
  };

  expect(checkSchema({ n: 1, children: [{ n: 2, children: [] }] }, schema)).toEqual({
    kind: "fits",
  });
  expect(checkSchema({ n: 1, children: [{ children: [] }] }, schema)).toMatchObject({
    kind: "violates",
  });
});

/** Each level refers to the next twice: the work doubles with every level. */
const DOUBLING = {
  $ref: "#/$defs/0",
  $defs: Object.fromEntries(
    Array.from({ length: 40 }, (_, level) => {
      const next = { $ref: `#/$defs/${level + 1}` };
      return [String(level), level === 39 ? {} : { allOf: [next, next] }];
    }),
  ),
};

const deep = (levels: number) => {
  let value: unknown = 1;
  for (let n = 0; n < levels; n++) value = { a: value };
  return value;
};
const branch = { properties: { a: { $ref: "#" } } };

type NotJudged = Extract<SchemaCheck, { kind: "not_judged" }>;

test.each<{ name: string; schema: JsonObject; value: unknown; reason: NotJudged["reason"] }>([
  { name: "doubles its work", schema: DOUBLING, value: 1, reason: "too_costly" },
  {
    name: "refers to itself in place",
    schema: { anyOf: [{ $ref: "#" }] },
    value: 1,
    reason: "too_costly",
  },
  {
    name: "doubles with the depth of the value",
    schema: { anyOf: [branch, { ...branch, title: "b" }], required: ["a"] },
    value: deep(60),
    reason: "too_costly",
  },
  { name: "meets a value too deep", schema: {}, value: deep(100), reason: "too_costly" },
  {
    name: "meets a value too wide",
    schema: { items: {} },
    value: Array(50_000).fill(1),
    reason: "too_costly",
  },
  { name: "refers nowhere", schema: { $ref: "#/$defs/x" }, value: 1, reason: "too_costly" },
  {
    name: "refers to another document",
    schema: { $ref: "https://x/y" },
    value: 1,
    reason: "too_costly",
  },
  {
    name: "moves its base",
    schema: { items: { $id: "x", $ref: "#" } },
    value: [1],
    reason: "too_costly",
  },
  { name: "has a wrong escape", schema: { $ref: "#/%zz" }, value: 1, reason: "unusable_schema" },
])("a schema that $name is not judged, and takes no time", ({ schema, value, reason }) => {
  expect(checkSchema(value, schema)).toEqual({ kind: "not_judged", reason });
});

test("a schema is not changed by its use", () => {
  const schema = Object.freeze({
    type: "object",
    properties: Object.freeze({ a: { type: "string" } }),
  });

  expect(checkSchema({ a: "x" }, schema)).toEqual({ kind: "fits" });
});

test("cost counts along one way down, not over all members", () => {
  const members = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`m${n}`, {}]));

  expect(costPerLeaf({ properties: members }, 1)).toBe(2);
  expect(costPerLeaf({ items: { items: {} } }, 2)).toBe(3);
  expect(shapeOf({ a: [1, { b: 2 }], c: {} })).toEqual({ leaves: 3, depth: 3 });
});
