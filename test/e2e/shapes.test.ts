import { afterAll, beforeAll, expect, test } from "bun:test";

import { chunk, streamOf } from "../support/scripted-upstream.ts";
import {
  answers,
  CHAT,
  CHAT_STREAM,
  OK,
  openWireRig,
  streams,
  type WireRig,
} from "../support/wire-rig.ts";

let rig: WireRig;
beforeAll(async () => {
  rig = await openWireRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const DONE = "data: [DONE]\n\n";
const WHOLE = {
  id: "x",
  object: "chat.completion",
  created: 7,
  model: "m",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "ok" },
      logprobs: null,
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 2 },
};
const HEAD = { id: "x", object: "chat.completion.chunk", created: 7, model: "m" };

const frames = (text: string): unknown[] =>
  text
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: {"))
    .map((frame) => JSON.parse(frame.slice("data: ".length)));

test.each([
  { name: "labelled as such", type: "text/event-stream" },
  { name: "labelled as plain text", type: "text/plain" },
  { name: "labelled as JSON", type: "application/json" },
  { name: "labelled as bytes", type: "application/octet-stream" },
  { name: "behind comments", type: "text/plain", before: ": PROCESSING\n\n\n" },
  { name: "behind a BOM", type: "text/plain", before: "\uFEFF" },
])(
  "a stream $name, where JSON was asked for, becomes one answer",
  async ({ type, before = "" }) => {
    const { text, response, sent } = await rig.ask(
      streams([before, streamOf("o", "k")], { "content-type": type }),
      CHAT,
    );

    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(text)).toMatchObject({
      id: "chatcmpl-1",
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "ok" }, finish_reason: "stop" }],
      veriroute: { served: "a:m" },
    });
    expect(JSON.parse(new TextDecoder().decode(sent[0]?.body))).toMatchObject({ stream: false });
    expect(await rig.edits(response)).toEqual(["sse_to_json"]);
  },
);

const callChunk = (index: object, part: object) =>
  chunk({ tool_calls: [{ ...index, function: part }] });

test("a stream put together for JSON has gone through the same repairs", async () => {
  const { text } = await rig.ask(
    streams([
      callChunk({ id: "a" }, { name: "f", arguments: '{"n":' }),
      callChunk({ id: "" }, { arguments: "1}" }),
      callChunk({}, { name: "g", arguments: null }),
      chunk({}, "stop"),
      "data: [DONE]",
    ]),
    CHAT,
  );

  expect(JSON.parse(text)).toMatchObject({
    choices: [
      {
        message: {
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "f", arguments: '{"n":1}' } },
            {
              id: expect.stringMatching(/^call_/),
              type: "function",
              function: { name: "g", arguments: "" },
            },
          ],
        },
        finish_reason: "tool_calls",
      },
    ],
  });
});

test("a legacy stream, where JSON was asked for, becomes a text completion", async () => {
  const stream = ["a", "b"]
    .map(
      (text) =>
        `data: {"id":"c","object":"text_completion","choices":[{"index":0,"text":"${text}","finish_reason":null}]}\n\n`,
    )
    .join("");

  const { text } = await rig.ask(
    streams([
      stream,
      'data: {"choices":[{"index":0,"text":"","finish_reason":"length"}]}\n\n',
      DONE,
    ]),
    { model: "a:m", prompt: "x" },
    { path: "/completions" },
  );

  expect(JSON.parse(text)).toMatchObject({
    object: "text_completion",
    choices: [{ index: 0, text: "ab", finish_reason: "length" }],
  });
});

test.each([
  { name: "labelled as such", type: "application/json", before: "" },
  { name: "labelled as a stream", type: "text/event-stream", before: "" },
  { name: "labelled as plain text", type: "text/plain", before: "" },
  { name: "behind blank lines", type: "application/json", before: "\n \r\n" },
  { name: "behind a BOM", type: "text/event-stream", before: "\uFEFF" },
])("a JSON answer $name, where a stream was asked for, becomes one", async ({ type, before }) => {
  const { text, response } = await rig.ask(
    answers(before + JSON.stringify(WHOLE), { "content-type": type }),
    CHAT_STREAM,
  );

  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(frames(text)).toEqual([
    {
      ...HEAD,
      choices: [
        {
          index: 0,
          delta: { role: "assistant", content: "ok" },
          logprobs: null,
          finish_reason: null,
        },
      ],
    },
    { ...HEAD, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ]);
  expect(text).toEndWith(`\n\n${DONE}`);
  expect(await rig.edits(response)).toEqual(["stream_options", "json_to_sse"]);
});

test("a JSON answer cut into a stream brings usage to a client that asked for it", async () => {
  const { text } = await rig.ask(answers(JSON.stringify(WHOLE)), {
    ...CHAT_STREAM,
    stream_options: { include_usage: true },
  });

  expect(frames(text).at(-1)).toEqual({ ...HEAD, choices: [], usage: WHOLE.usage });
});

test("a JSON answer with several choices and calls becomes a stream that SDKs can read", async () => {
  const answer = {
    choices: [
      { message: { content: "a" }, finish_reason: "eos" },
      {
        message: { content: null, tool_calls: [{ function: { name: "f", arguments: { x: 1 } } }] },
        finish_reason: "stop",
      },
    ],
  };

  const { text } = await rig.ask(answers(JSON.stringify(answer)), { ...CHAT_STREAM, n: 2 });

  expect(frames(text)).toMatchObject([
    { choices: [{ index: 0, delta: { content: "a" } }] },
    {
      choices: [
        {
          index: 1,
          delta: {
            tool_calls: [
              {
                index: 0,
                id: expect.stringMatching(/^call_/),
                type: "function",
                function: { arguments: '{"x":1}' },
              },
            ],
          },
        },
      ],
    },
    { choices: [{ index: 0, finish_reason: "stop" }] },
    { choices: [{ index: 1, finish_reason: "tool_calls" }] },
  ]);
});

test("a legacy JSON answer, where a stream was asked for, becomes a legacy stream", async () => {
  const { text } = await rig.ask(
    answers(
      '{"id":"c","object":"text_completion","choices":[{"index":0,"text":"ok","finish_reason":"stop"}]}',
    ),
    { model: "a:m", prompt: "x", stream: true },
    { path: "/completions" },
  );

  expect(frames(text)).toEqual([
    {
      id: "c",
      object: "text_completion",
      choices: [{ index: 0, text: "ok", finish_reason: null }],
    },
    {
      id: "c",
      object: "text_completion",
      choices: [{ index: 0, text: "", finish_reason: "stop" }],
    },
  ]);
});

const NO_ANSWERS = [
  { name: "`null`", script: answers("null") },
  { name: "a bare list", script: answers("[1,2]") },
  { name: "a bare text", script: answers('"ok"') },
  { name: "nothing", script: answers("") },
  { name: "blank lines", script: answers("\n\n \n") },
  {
    name: "a page of HTML",
    script: answers("<!doctype html><html><body>hi</body></html>", { "content-type": "text/html" }),
  },
  { name: "a page of HTML labelled as JSON", script: answers("<html>hi</html>") },
  { name: "plain text", script: answers("upstream says hi", { "content-type": "text/plain" }) },
  { name: "JSON that breaks off", script: answers(JSON.stringify(OK).slice(0, 80)) },
  {
    name: "a stream that breaks off before any content",
    script: streams([chunk({ role: "assistant" })]),
  },
  { name: "a stream of comments", script: streams([": a\n\n: b\n\n"]) },
  { name: "a stream of rubbish", script: streams(["data: rubbish\n\n"]) },
  {
    name: "a page of HTML labelled as a stream",
    script: answers("<html>hi</html>", { "content-type": "text/event-stream" }),
  },
  { name: "an object that is no answer", script: answers('{"hello":"world"}') },
];

test.each(NO_ANSWERS)(
  "$name with a 200 is a 502 of ours, whatever was asked for",
  async ({ script }) => {
    for (const body of [CHAT, CHAT_STREAM]) {
      await using own = await openWireRig();

      const { text, response } = await own.ask(script, body);

      expect(response.status).toBe(502);
      expect(response.headers.get("content-type")).toStartWith("application/json");
      expect(JSON.parse(text)).toMatchObject({
        error: { type: "server_error", code: expect.stringMatching(/^upstream_/) },
      });
    }
  },
);

const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const deepIn = (json: string) => json.replace(/\}$/, `,"deep":${DEEP}}`);

test.each([
  { name: "JSON for a stream", upstream: answers(deepIn(JSON.stringify(OK))), body: CHAT_STREAM },
  {
    name: "a stream for JSON",
    upstream: streams([`data: ${deepIn('{"choices":[{"index":0,"delta":{"content":"x"}}]}')}\n\n`]),
    body: CHAT,
  },
])("$name that nests too deeply to be converted is a failed attempt", async (row) => {
  const { response, text } = await rig.ask(row.upstream, row.body);

  expect(response.status).toBe(502);
  expect(JSON.parse(text)).toMatchObject({
    error: {
      code: "upstream_bad_answer",
      message: "`a`: the answer nests too deeply to be converted",
    },
  });
});
