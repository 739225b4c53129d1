import { expect, test } from "bun:test";

import { openAiErrorFrame } from "../../../../src/protocol/openai/error-frame.ts";
import { chunkFrame, DONE, framesOf, readStream } from "./read-stream.ts";

const hi = chunkFrame({ content: "hi" });

/** Vendors' mid-stream errors, and what the classifier is shown of each. */
const FORMS = [
  {
    name: "a pure error object",
    frame: 'data: {"error":{"message":"m","type":"server_error","param":null,"code":null}}\n\n',
    shown: '{"error":{"message":"m","type":"server_error","param":null,"code":null}}',
  },
  {
    name: "an error event",
    frame: 'event: error\ndata: {"error":{"message":"m"}}\n\n',
    shown: '{"error":{"message":"m"}}',
  },
  {
    name: "an error event without spaces",
    frame: 'event:error\ndata:{"error":{"message":"m"}}\n\n',
    shown: '{"error":{"message":"m"}}',
  },
  {
    name: "an error event whose object is the error",
    frame: 'event: error\ndata: {"message":"m","code":500}\n\n',
    shown: '{"message":"m","code":500}',
  },
  {
    name: "an error event of plain text",
    frame: "event: error\ndata: Overloaded\n\n",
    shown: "event: error\ndata: Overloaded\n\n",
  },
  {
    name: "an aggregator's error beside a failed choice",
    frame:
      'data: {"id":"g","error":{"code":502,"message":"m"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
    shown:
      '{"id":"g","error":{"code":502,"message":"m"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}',
  },
  {
    name: "an error beside empty choices",
    frame: 'data: {"id":"g","choices":[],"error":{"code":502,"message":"m"}}\n\n',
    shown: '{"id":"g","choices":[],"error":{"code":502,"message":"m"}}',
  },
  {
    name: "a failed choice alone",
    frame: 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}\n\n',
    shown: '{"choices":[{"index":0,"delta":{},"finish_reason":"error"}]}',
  },
  {
    name: "the failure of a second choice",
    frame: 'data: {"choices":[{"index":0,"delta":{}},{"index":1,"error":{"message":"m"}}]}\n\n',
    shown: '{"choices":[{"index":0,"delta":{}},{"index":1,"error":{"message":"m"}}]}',
  },
  {
    name: "a server out of resources",
    frame:
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}\n\n',
    shown: '{"choices":[{"index":0,"delta":{},"finish_reason":"insufficient_system_resource"}]}',
  },
  {
    name: "an error as text",
    frame: 'data: {"error":"m"}\n\n',
    shown: '{"error":"m"}',
  },
  {
    name: "a flat error object",
    frame: 'data: {"object":"error","message":"m","code":400}\n\n',
    shown: '{"object":"error","message":"m","code":400}',
  },
  {
    name: "an error in a list of one",
    frame: 'data: [{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]\n\n',
    shown: '[{"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED"}}]',
  },
  {
    name: "a bare `error` field",
    frame: 'error: {"code":500,"message":"m"}\n\n',
    shown: '{"code":500,"message":"m"}',
  },
  {
    name: "an error on the line of a broken frame",
    frame: 'data: {"choices":[{"indexdata: {"error":{"message":"m"}}\n\n',
    shown: '{"error":{"message":"m"}}',
  },
  {
    name: "an error without its blank line",
    frame: 'data: {"error":{"message":"m"}}',
    shown: '{"error":{"message":"m"}}',
  },
];

test.each(FORMS)(
  "(e) $name is no frame for the client but an error to classify",
  ({ frame, shown }) => {
    const { out, error } = readStream(hi + frame);

    expect({ out, error }).toEqual({ out: hi, error: shown });
  },
);

test.each([
  { name: "null", member: "null" },
  { name: "an empty object", member: "{}" },
  { name: "an empty text", member: '""' },
  { name: "false", member: "false" },
])("an `error` member that is $name is none", ({ member }) => {
  const frame = `data: {"choices":[{"index":0,"delta":{"content":"a"}}],"error":${member}}\n\n`;

  expect(readStream(frame)).toMatchObject({ out: frame, error: null });
});

test("an error frame of ours is the form every client reads, with `[DONE]` behind it", () => {
  const frame = openAiErrorFrame({ code: "stream_interrupted", message: "cut\nshort" });

  const [error, done, ...rest] = framesOf(frame);
  expect(JSON.parse(error?.data ?? "")).toEqual({
    error: { message: "cut\nshort", type: "api_error", param: null, code: "stream_interrupted" },
  });
  expect(done?.data).toBe("[DONE]");
  expect(rest).toEqual([]);
  expect(frame.endsWith(DONE)).toBe(true);
});
