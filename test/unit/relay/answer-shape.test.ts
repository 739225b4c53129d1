import { expect, test } from "bun:test";

import { type AnswerShape, shapeOf } from "../../../src/relay/answer-shape.ts";

const JSON_TYPE = "application/json";
const SSE_TYPE = "text/event-stream";

test.each<{ start: string; type: string | null; shape: AnswerShape }>([
  { start: '{"id":1}', type: JSON_TYPE, shape: "json" },
  { start: '{"id":1}', type: SSE_TYPE, shape: "json" },
  { start: '\n\n  {"id":1}', type: null, shape: "json" },
  { start: '\uFEFF{"id":1}', type: JSON_TYPE, shape: "json" },
  { start: '[{"error":{}}]', type: JSON_TYPE, shape: "json" },
  { start: "null", type: JSON_TYPE, shape: "json" },
  { start: 'data: {"id":1}', type: SSE_TYPE, shape: "sse" },
  { start: 'data:{"id":1}', type: JSON_TYPE, shape: "sse" },
  { start: ": a comment", type: "text/plain", shape: "sse" },
  { start: "event: error", type: null, shape: "sse" },
  { start: "\uFEFFdata: x", type: null, shape: "sse" },
  { start: "something else", type: "text/event-stream; charset=utf-8", shape: "sse" },
  { start: "something else", type: "text/event-streams", shape: "other" },
  { start: "<!doctype html>", type: "text/html", shape: "other" },
  { start: "database error", type: "text/plain", shape: "other" },
  { start: "", type: JSON_TYPE, shape: "undecided" },
  { start: " \r\n", type: null, shape: "undecided" },
  { start: " \r\n", type: SSE_TYPE, shape: "sse" },
  { start: "dat", type: null, shape: "undecided" },
  { start: "\nnul", type: JSON_TYPE, shape: "undecided" },
  { start: "date", type: null, shape: "other" },
])("`$start` as $type is $shape", ({ start, type, shape }) => {
  const headers = new Headers(type === null ? {} : { "content-type": type });

  expect(shapeOf(new TextEncoder().encode(start), headers)).toBe(shape);
});
