import { expect, test } from "bun:test";

import { chunk } from "../support/scripted-upstream.ts";
import { CHAT_STREAM, openWireRig, streams } from "../support/wire-rig.ts";

const hi = chunk({ content: "hi" });
const DONE = "data: [DONE]\n\n";

/** Mid-stream errors as vendors send them. */
const FORMS = [
  {
    name: "a pure error object",
    frames:
      'data: {"error":{"message":"it broke","type":"server_error","param":null,"code":null}}\n\n',
  },
  {
    name: "a pure error object, then `[DONE]`",
    frames: `data: {"error":{"message":"it broke","code":500}}\n\n${DONE}`,
  },
  {
    name: "an error event",
    frames: 'event: error\ndata: {"error":{"message":"it broke","status_code":500}}\n\n',
  },
  {
    name: "an error event without spaces",
    frames: 'event:error\ndata:{"error":{"message":"it broke"}}\n\n',
  },
  { name: "an error event of plain text", frames: "event: error\ndata: it broke\n\n" },
  {
    name: "another dialect's error event",
    frames:
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"it broke"}}\n\n',
  },
  {
    name: "an error beside a failed choice",
    frames: `data: {"id":"g","provider":"p","error":{"code":502,"message":"it broke"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n${DONE}`,
  },
  {
    name: "an error beside empty choices",
    frames: `data: {"id":"g","choices":[],"error":{"code":502,"message":"it broke"}}\n\n${DONE}`,
  },
  { name: "a bare error field", frames: 'error: {"code":500,"message":"it broke"}\n\n' },
  { name: "an error as text", frames: 'data: {"error":"it broke"}\n\n' },
  { name: "an error in a list", frames: 'data: [{"error":{"code":500,"message":"it broke"}}]\n\n' },
  { name: "a flat error", frames: 'data: {"object":"error","message":"it broke","code":500}\n\n' },
  { name: "an error without its blank line", frames: 'data: {"error":{"message":"it broke"}}' },
];

test.each(FORMS)(
  "(e) after content, $name becomes the form every client reads, then `[DONE]`",
  async ({ frames }) => {
    await using rig = await openWireRig();

    const { text, response } = await rig.ask(streams([hi, frames]), CHAT_STREAM);

    expect(response.status).toBe(200);
    expect(text.slice(0, hi.length)).toBe(hi);
    const [error, done, ...rest] = text.slice(hi.length).split("\n\n");
    expect(JSON.parse(error?.slice("data: ".length) ?? "")).toEqual({
      error: {
        message: expect.stringContaining("it broke"),
        type: expect.stringMatching(/^(server_error|api_error)$/),
        param: null,
        code: expect.any(String),
      },
    });
    expect([done, ...rest]).toEqual(["data: [DONE]", ""]);
  },
);

test.each(FORMS)("(e) before content, $name is an HTTP error, not a stream", async ({ frames }) => {
  await using rig = await openWireRig();

  const { text, response } = await rig.ask(
    streams([chunk({ role: "assistant", content: "" }), frames]),
    CHAT_STREAM,
  );

  expect(response.status).toBeGreaterThanOrEqual(500);
  expect(response.headers.get("content-type")).toStartWith("application/json");
  expect(JSON.parse(text)).toMatchObject({
    error: { message: expect.stringContaining("it broke") },
  });
});

test.each([
  { name: "a failed choice without words", frames: chunk({}, "error") + DONE },
  { name: "a server out of resources", frames: chunk({}, "insufficient_system_resource") + DONE },
  { name: "an abort", frames: chunk({}, "abort") + DONE },
])("(e) $name never reaches the client as a finish reason", async ({ frames }) => {
  await using rig = await openWireRig();

  const { text } = await rig.ask(streams([hi, frames]), CHAT_STREAM);

  expect(text).toStartWith(`${hi}data: {"error":{`);
  expect(text).toEndWith(`\n\n${DONE}`);
  expect(text).not.toContain('finish_reason":"');
});
