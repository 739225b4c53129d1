import { expect, test } from "bun:test";

import { joinBytes } from "../../../../src/protocol/json/edit.ts";
import { callFrame, chunkFrame, DONE, readStream } from "./read-stream.ts";

const USAGE = '{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}';
const usageOnly = `data: {"id":"c","choices":[],"usage":${USAGE}}\n\n`;
const hi = chunkFrame({ content: "hi" });
const stop = chunkFrame({}, "stop");

test.each([
  {
    name: "a plain stream",
    text: chunkFrame({ role: "assistant", content: "" }) + hi + stop + DONE,
  },
  {
    name: "comments, ids, retries and blank lines",
    text: `: a\n\nid: 1\n\nretry: 5\n\n\n${hi}:\n\n${stop}${DONE}`,
  },
  { name: "CRLF", text: (hi + stop + DONE).replaceAll("\n", "\r\n") },
  { name: "CR", text: (hi + stop + DONE).replaceAll("\n", "\r") },
  { name: "no space after `data:`", text: (hi + stop + DONE).replaceAll("data: ", "data:") },
  { name: "two spaces after `data:`", text: (hi + stop + DONE).replaceAll("data: ", "data:  ") },
  {
    name: "a payload over several lines",
    text: `data: {"choices":[{"index":0,\ndata: "delta":{"content":"hi"}}]}\n\n${stop}${DONE}`,
  },
  {
    name: "odd spellings and members",
    text: `data: {"choices":[{"index":0,"delta":{"content":"\\u0068i"},"x":1.0,"x":9007199254740993}],"x_y":null}\n\n${stop}${DONE}`,
  },
  {
    name: "the bytes of a broken character",
    text: `data: {"choices":[{"index":0,"delta":{"content":"\uFFFD"}}]}\n\n${stop}${DONE}`,
  },
  {
    name: "`usage: null` on every chunk",
    text: `data: {"choices":[{"index":0,"delta":{"content":"a"}}],"usage":null}\n\n${stop}${DONE}`,
  },
  {
    name: "a first chunk without choices, as Azure sends it",
    text: `data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}],"usage":null}\n\n${hi}${stop}${DONE}`,
  },
  {
    name: "an empty error member",
    text: `data: {"choices":[{"index":0,"delta":{"content":"a"},"error":null}],"error":{}}\n\n${stop}${DONE}`,
  },
  {
    name: "a notice of the vendor's own",
    text: `event: status\ndata: {"message":"queued"}\n\n${hi}${stop}${DONE}`,
  },
  {
    name: "the word `data:` inside a text",
    text: `data: {"choices":[{"index":0,"delta":{"content":"data: {\\"a\\":1}\\n\\ndata: {}"}}]}\n\n${stop}${DONE}`,
  },
  {
    name: "a legacy function call",
    text:
      chunkFrame({ function_call: { name: "f", arguments: "{}" } }) +
      chunkFrame({}, "function_call") +
      DONE,
  },
])("$name passes byte for byte", ({ text }) => {
  const { out, edits, error } = readStream(text, { drop_usage: true });

  expect({ out, edits, error }).toEqual({ out: text, edits: [], error: null });
});

const brokenText = (reason: string) =>
  joinBytes([
    new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"'),
    Uint8Array.of(0xc3, 0x28, 0xff),
    new TextEncoder().encode(`"},"finish_reason":${reason}}]}\n\n`),
  ]);

test.each([
  { name: "passes", finish: "null", left: "null" },
  { name: "outlives a repair of its frame", finish: '"eos"', left: '"stop"' },
])("text that is no valid UTF-8 $name byte for byte", ({ finish, left }) => {
  expect(readStream(brokenText(finish)).bytes).toEqual(brokenText(left));
});

test.each([
  { name: "without any line break", ending: "" },
  { name: "with one line feed", ending: "\n" },
  { name: "with one CRLF", ending: "\r\n" },
])("(b) a last frame $name gets its blank line", ({ ending }) => {
  const { out } = readStream(hi + stop.trimEnd() + ending);

  expect(out.slice(0, hi.length)).toBe(hi);
  expect(out.slice(hi.length).replaceAll("\r", "")).toBe(stop);
});

test("(b) a last frame cut inside its payload is dropped, and is no fault of its own", () => {
  const { out, facts } = readStream(
    `${hi}data: {"choices":[{"index":0,"delta":{"content":"see data: {}`,
  );

  expect(out).toBe(hi);
  expect(facts).toMatchObject({ malformed_frames: 0, is_finished: false });
});

test("(c) a usage-only chunk goes if the client did not ask for it, and is read", () => {
  const kept = readStream(hi + stop + usageOnly + DONE, { drop_usage: false });
  const dropped = readStream(hi + stop + usageOnly + DONE, { drop_usage: true });

  expect(kept.out).toBe(hi + stop + usageOnly + DONE);
  expect(dropped.out).toBe(hi + stop + DONE);
  expect(dropped.edits).toEqual(["usage_chunk"]);
  expect(dropped.facts.usage).toEqual({ input_tokens: 3, output_tokens: 2 });
});

test("a comment that the connection cut goes", () => {
  expect(readStream(`${hi}: not a whole`).out).toBe(hi);
});

test("(c) a usage-only chunk without `choices` goes too", () => {
  expect(readStream(`${hi}data: {"usage":${USAGE}}\n\n`, { drop_usage: true }).out).toBe(hi);
});

test("(c) usage on a chunk with a choice stays", () => {
  const last = `data: {"choices":[{"index":0,"delta":{"content":"last"},"finish_reason":"stop"}],"usage":${USAGE}}\n\n`;

  const { out, facts } = readStream(last + DONE, { drop_usage: true });

  expect(out).toBe(last + DONE);
  expect(facts).toMatchObject({ is_finished: true, usage: { input_tokens: 3, output_tokens: 2 } });
});

test("(f) `[DONE]` after content without a finish reason gets one finish chunk before it", () => {
  const first =
    'data: {"id":"c","object":"chat.completion.chunk","created":7,"model":"m","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}\n\n';

  const { out, edits } = readStream(first + DONE);

  const finish = {
    id: "c",
    object: "chat.completion.chunk",
    created: 7,
    model: "m",
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
  };
  expect(out).toBe(`${first}data: ${JSON.stringify(finish)}\n\n${DONE}`);
  expect(edits).toEqual(["finish_chunk"]);
});

test("(f) the finish chunk is like the chunks of its choice, not like one without choices", () => {
  const { out } = readStream(`${hi}data: {"choices":[],"usage":{}}\n\n${DONE}`);

  expect(out).toContain(
    '{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{}',
  );
});

test("(f) a legacy stream gets a finish chunk of its own shape", () => {
  const first = 'data: {"id":"c","choices":[{"index":0,"text":"hi","finish_reason":null}]}\n\n';

  const { out } = readStream(first + DONE, { dialect: "completions" });

  const finish = {
    id: "c",
    object: "text_completion",
    choices: [{ index: 0, text: "", finish_reason: "stop" }],
  };
  expect(out).toBe(`${first}data: ${JSON.stringify(finish)}\n\n${DONE}`);
});

test("(f) each choice with content and no finish gets one, no other", () => {
  const both =
    'data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}},{"index":2,"delta":{"role":"assistant"}}]}\n\n';

  const { out } = readStream(both + stop + DONE);

  expect(out).toBe(
    `${both}${stop}data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}\n\n${DONE}`,
  );
});

test("(f) `[DONE]` without any content gets nothing before it", () => {
  expect(readStream(chunkFrame({ role: "assistant" }) + DONE).out).toBe(
    chunkFrame({ role: "assistant" }) + DONE,
  );
});

test.each(["[DONE]", " [DONE]", "[DONE] "])("`data:%s` ends the stream", (marker) => {
  expect(readStream(`${hi}${stop}data:${marker}\n\n${hi}`)).toMatchObject({
    isDone: true,
    out: `${hi}${stop}data:${marker}\n\n`,
  });
});

test.each([
  { name: "STOP", reason: "STOP", finish: "stop" },
  { name: "an empty one on every chunk", reason: "", finish: null },
  { name: "the word null", reason: "null", finish: null },
  { name: "a word nobody knows", reason: "eos", finish: "stop" },
])(
  "(g) a finish reason the dialect does not have is told in its words: $name",
  ({ reason, finish }) => {
    const { out, edits, facts } = readStream(chunkFrame({ content: "hi" }, reason));

    expect(out).toBe(chunkFrame({ content: "hi" }, finish));
    expect(edits).toEqual(["finish_reason"]);
    expect(facts.finish).toEqual(new Map(finish === null ? [] : [[0, reason]]));
  },
);

test("(g) `stop` after a legacy function call reads `function_call`", () => {
  const call = chunkFrame({ function_call: { name: "f", arguments: "{}" } });

  expect(readStream(call + stop).out).toBe(call + chunkFrame({}, "function_call"));
});

test("(f) a legacy function call that broke off ends for its length", () => {
  const call = chunkFrame({ function_call: { name: "f", arguments: '{"a"' } });

  expect(readStream(call + DONE).out).toContain('"finish_reason":"length"');
});

test("(g) a choice without index gets the one of its place", () => {
  const { out, edits } = readStream(
    'data: {"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}\n\n',
  );

  expect(out).toBe(
    'data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}\n\n',
  );
  expect(edits).toEqual(["choice_index"]);
});

test.each([
  {
    name: "a second object on the line of a broken one",
    text: `data: {"id":"1","object":"chat.completion.c${hi}`,
    out: hi,
  },
  {
    name: "two objects with no blank line between",
    text: hi.trimEnd() + "\n" + stop,
    out: hi + stop,
  },
  {
    name: "a whole stream without blank lines",
    text: `${hi.trimEnd()}\n${stop.trimEnd()}\n${DONE}`,
    out: hi + stop + DONE,
  },
  { name: "an object and rubbish", text: `${hi.trimEnd()}\ndata: rubbish\n\n`, out: hi },
])("what can be saved of a broken frame is: $name", ({ text, out }) => {
  expect(readStream(text)).toMatchObject({
    out,
    edits: ["salvaged_frame"],
    firstContent: 0,
    facts: { malformed_frames: 1 },
  });
});

test.each([
  { name: "no JSON", data: "rubbish" },
  { name: "nothing", data: "" },
  { name: "null", data: "null" },
  { name: "a number", data: "7" },
  { name: "a JSON text that quotes a frame", data: '"data: {\\"choices\\":[]}"' },
  { name: "a list", data: '[{"choices":[]}]' },
  { name: "a list over several lines", data: '[\ndata: {"choices":[]}\ndata: ]' },
  { name: "an object cut inside a text that quotes a frame", data: '{"a":"data: {}' },
])("a frame that holds $name is dropped and counted, and the stream goes on", ({ data }) => {
  expect(readStream(`data: ${data}\n\n${hi}`)).toMatchObject({
    out: hi,
    edits: ["dropped_frame"],
    facts: { malformed_frames: 1 },
  });
});

test.each([
  { name: "an end marker", line: "data: [DONE]", isDone: true, error: null },
  { name: "an error", line: 'data: {"error":"m"}', isDone: false, error: '{"error":"m"}' },
])("of a broken frame nothing is saved that stands behind $name", ({ line, isDone, error }) => {
  const { out, ...rest } = readStream(`${hi.trimEnd()}\n${stop.trimEnd()}\n${line}\n${hi}`);

  expect(rest).toMatchObject({ isDone, error });
  expect(out).toBe(hi + stop + (isDone ? DONE : ""));
});

test("a frame of a million places where another might begin is given up quickly", () => {
  const frame = `data: {"a":"${"data:{".repeat(500_000)}\n\n`;

  expect(readStream(frame + hi).out).toBe(hi);
});

test("the first content is in the frame that bears it, once", () => {
  const { firstContent } = readStream(
    `: a\n\n${chunkFrame({ role: "assistant", content: "" })}${hi}${hi}`,
  );

  expect(firstContent).toBe(2);
});

test("with several choices the first that has content commits", () => {
  const second = 'data: {"choices":[{"index":1,"delta":{"content":"b"}}]}\n\n';

  expect(readStream(chunkFrame({ role: "assistant" }) + second + hi).firstContent).toBe(1);
});

test("a stream is finished once a choice is and none with content is left open", () => {
  const both =
    'data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}\n\n';

  expect(readStream(both).facts.is_finished).toBe(false);
  expect(readStream(both + stop).facts.is_finished).toBe(false);
  expect(readStream(both + stop + stop.replace('"index":0', '"index":1')).facts.is_finished).toBe(
    true,
  );
});

test("a tool call is content", () => {
  expect(
    readStream(
      callFrame('{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}'),
    ).firstContent,
  ).toBe(0);
});
