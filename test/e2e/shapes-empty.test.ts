import { expect, test } from "bun:test";

import { chat, provider, startRouter } from "../support/router.ts";
import {
  chunk,
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  streamOf,
} from "../support/scripted-upstream.ts";
import {
  answers,
  CHAT,
  CHAT_STREAM,
  openWireRig,
  type Script,
  streams,
} from "../support/wire-rig.ts";

const DONE = "data: [DONE]\n\n";
const POOL = '[pools.p]\ntargets = ["a:m", "b:m"]\n';
const routerFor = (a: ScriptedUpstream, b: ScriptedUpstream) =>
  startRouter({ config: provider("a", a.base_url) + provider("b", b.base_url) + POOL });

const answer = (message: object, finish_reason: string, usage: object | null = null) =>
  answers(
    JSON.stringify({
      choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
      usage,
    }),
  );

/** Answers without anything for the client, each with its request. */
const EMPTIES: { name: string; script: Script; stream: boolean; more?: object }[] = [
  {
    name: "null after a large prompt",
    script: answer({ content: null }, "stop", { prompt_tokens: 56_447, completion_tokens: 0 }),
    stream: false,
  },
  { name: "white space", script: answer({ content: " \n\u200B" }, "stop"), stream: false },
  {
    name: "a finish for tool calls without any",
    script: answer({ content: null, tool_calls: [] }, "tool_calls"),
    stream: false,
  },
  {
    name: "reasoning and a regular stop",
    script: answer({ content: "", reasoning_content: "hm" }, "stop"),
    stream: false,
  },
  {
    name: "the limit far from the client's cap",
    script: answer({ content: "" }, "length", { completion_tokens: 3 }),
    stream: false,
    more: { max_tokens: 4096 },
  },
  {
    name: "no choices",
    script: answers('{"choices":[],"usage":{"completion_tokens":0}}'),
    stream: false,
  },
  {
    name: "a role, a stop and `[DONE]`",
    script: streams([chunk({ role: "assistant" }), chunk({}, "stop"), DONE]),
    stream: true,
  },
  {
    name: "empty deltas",
    script: streams([chunk({ content: "" }), chunk({ content: "" }), chunk({}, "stop"), DONE]),
    stream: true,
  },
  {
    name: "usage and `[DONE]`",
    script: streams(['data: {"choices":[],"usage":{"completion_tokens":0}}\n\n', DONE]),
    stream: true,
  },
  { name: "`[DONE]` alone", script: streams([DONE]), stream: true },
  {
    name: "an empty answer as a stream that was not asked for",
    script: streams([chunk({ role: "assistant" }), chunk({}, "stop"), DONE]),
    stream: false,
  },
];

test.each(EMPTIES)(
  "$name moves the request on to the next target, once, unseen",
  async ({ script, stream, more }) => {
    using empty = scriptedUpstream(script);
    using healthy = scriptedUpstream((wire, request) => {
      const reply = stream
        ? streams([streamOf("fine")])
        : answers(JSON.stringify(completion("fine")));
      return reply(wire, request);
    });
    await using router = await routerFor(empty, healthy);

    const response = await router.post("/v1/chat/completions", chat("pool:p", { stream, ...more }));

    expect(await response.text()).toContain("fine");
    expect(response.headers.get("x-veriroute-target")).toBe("b:m");
    expect([empty.requests.length, healthy.requests.length]).toEqual([1, 1]);
  },
);

test.each(EMPTIES)(
  "$name from every target is an error that says so, never a 200",
  async ({ script, stream, more }) => {
    using first = scriptedUpstream(script);
    using second = scriptedUpstream(script);
    await using router = await routerFor(first, second);

    const response = await router.post("/v1/chat/completions", chat("pool:p", { stream, ...more }));

    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { code: "upstream_empty" } });
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
  },
);

const toolTurn = {
  ...CHAT,
  messages: [
    { role: "user", content: "hi" },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c", content: "done" },
  ],
};

test.each([
  {
    name: "reasoning that used up the budget",
    message: { content: "", reasoning_content: "Let me think" },
    finish: "length",
    usage: { completion_tokens: 8 },
    body: CHAT,
  },
  {
    name: "reasoning in the other field",
    message: { content: null, reasoning: "Let me think" },
    finish: "length",
    usage: null,
    body: CHAT,
  },
  {
    name: "the client's own cap",
    message: { content: "" },
    finish: "length",
    usage: { completion_tokens: 64 },
    body: { ...CHAT, max_tokens: 64 },
  },
  {
    name: "a filter",
    message: { content: null },
    finish: "content_filter",
    usage: null,
    body: CHAT,
  },
  {
    name: "a refusal",
    message: { content: null, refusal: "no" },
    finish: "stop",
    usage: null,
    body: CHAT,
  },
  {
    name: "silence after a tool result",
    message: { content: "" },
    finish: "stop",
    usage: { prompt_tokens: 50, completion_tokens: 2 },
    body: toolTurn,
  },
  {
    name: "images",
    message: { content: "", images: [{ type: "image_url", image_url: { url: "data:," } }] },
    finish: "stop",
    usage: null,
    body: CHAT,
  },
])(
  "no text because of $name is no fault: it passes unchanged, stream or not",
  async ({ message, finish, usage, body }) => {
    await using rig = await openWireRig();
    const text = JSON.stringify({ choices: [{ index: 0, message, finish_reason: finish }], usage });
    const frames = [
      chunk({ role: "assistant", ...message }),
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: finish }], usage })}\n\n`,
      DONE,
    ];

    const whole = await rig.ask(answers(text), body);
    const stream = await rig.ask(streams(frames), { ...body, stream: true });

    expect(whole.text).toStartWith(text.slice(0, -1));
    expect(stream.text).toBe(frames.join(""));
  },
);

test.each([
  { name: "whole", script: answer({ content: "" }, "model_context_window_exceeded"), body: CHAT },
  {
    name: "streamed",
    script: streams([
      chunk({ role: "assistant" }),
      chunk({}, "model_context_window_exceeded"),
      DONE,
    ]),
    body: CHAT_STREAM,
  },
])(
  "a window that was full before any text is a prompt too long, not an empty answer: $name",
  async ({ script, body }) => {
    await using rig = await openWireRig();

    const { response, text } = await rig.ask(script, { ...body, max_tokens: 64 });

    expect(response.status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      error: {
        code: "context_length_exceeded",
        message: expect.stringContaining("maximum context length"),
      },
    });
  },
);
