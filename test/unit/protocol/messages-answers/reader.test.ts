import { expect, test } from "bun:test";

import { createMessagesReader } from "../../../../src/protocol/anthropic/stream/reader.ts";
import { joinBytes } from "../../../../src/protocol/json/edit.ts";
import { countedIds } from "../openai/read-stream.ts";
import { type ReadBySdk, readBySdk, SDKS } from "./sdk.ts";
import { framesAt, recorded, streamOf } from "./streams.ts";

/** What a client of the same dialect gets of a stream that ends here. */
function passed(text: string, cuts: readonly number[] = []) {
  const edits = new Set<string>();
  const texts: string[] = [];
  const reader = createMessagesReader({
    id: "msg_own",
    model: "own-model",
    newId: countedIds(),
    onEdit: (edit) => edits.add(edit),
    onText: (choice, said) => texts.push(`${choice}:${said}`),
  });
  const pieces: Uint8Array[] = [];
  let firstContent: string | null = null;
  let error: string | null = null;
  let isDone = false;
  for (const frame of framesAt(text, cuts)) {
    const step = reader.read(frame);
    pieces.push(step.out);
    if (step.is_content) firstContent = frame.data ?? null;
    ({ error, is_done: isDone } = step);
    if (isDone || error !== null) break;
  }
  if (reader.facts().is_finished) pieces.push(reader.close());
  const out = new TextDecoder("utf-8", { ignoreBOM: true }).decode(joinBytes(pieces));
  const { malformed_frames, ...facts } = reader.facts();
  return {
    out,
    edits: [...edits],
    texts,
    firstContent,
    error,
    isDone,
    facts,
    malformed_frames,
    choices: reader.choices(),
  };
}

const RECORDED = [
  "text",
  "stop-sequence",
  "max-tokens",
  "tools",
  "parallel-tools",
  "thinking",
  "interleaved-thinking",
  "redacted-thinking",
  "refusal",
  "server-tools",
];

test.each(RECORDED)("a sound stream passes byte for byte: %s", async (name) => {
  const text = await recorded(name);
  const spaced = `: hello\n\n${text.replaceAll("\n", "\r\n").replaceAll('{"type":', '{ "type" :')}`;

  for (const each of [text, spaced]) {
    expect(passed(each)).toMatchObject({ out: each, edits: [], isDone: true, error: null });
    expect(passed(each, [3, 50, 51, 200, 201]).out).toBe(each);
  }
});

test("it tells what the stream said, counted and called", async () => {
  const { facts, texts, choices } = passed(await recorded("tools"));

  expect(texts).toEqual(["0:Looking."]);
  expect(facts).toEqual({
    content: { text: true, reasoning: false, tool_calls: true, refusal: false, media: false },
    finish: new Map([[0, "tool_use"]]),
    is_finished: true,
    usage: { input_tokens: 25, output_tokens: 12, cached_input_tokens: 0, cache_write_tokens: 0 },
  });
  expect(choices).toEqual(
    new Map([
      [
        0,
        {
          content: facts.content,
          finish: "tool_use",
          calls: [{ name: "get_weather", arguments: '{"city":"Paris"}' }],
        },
      ],
    ]),
  );
});

test.each([
  { name: "text", first: /"text_delta","text":"Hel"/ },
  { name: "thinking", first: /"thinking_delta","thinking":"First "/ },
  { name: "redacted-thinking", first: /"redacted_thinking"/ },
  { name: "parallel-tools", first: /"content_block_start".*"toolu_01A"/ },
  { name: "server-tools", first: /"content_block_start".*"server_tool_use"/ },
])("nothing counts as content before the first that is: $name", async ({ name, first }) => {
  expect(passed(await recorded(name)).firstContent).toMatch(first);
});

const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 2 },
  },
};
const open = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } };
const add = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } };
const close = { type: "content_block_stop", index: 0 };
const end = {
  type: "message_delta",
  delta: { stop_reason: "end_turn", stop_sequence: null },
  usage: { output_tokens: 3 },
};
const stop = { type: "message_stop" };
const tool = {
  type: "content_block_start",
  index: 0,
  content_block: { type: "tool_use", id: "t", name: "f", input: {} },
};
const sound = streamOf(start, open, add, close, end, stop);

const usageOf = (output_tokens: number) => ({ ...end, usage: { output_tokens } });

interface Repair {
  readonly name: string;
  readonly stream: string;
  readonly out: string;
  readonly edits: readonly string[];
  /** SDKs cannot read it as it came. */
  readonly breaks?: boolean;
}

const REPAIRS: readonly Repair[] = [
  {
    name: "no `event:` lines",
    stream: sound.replaceAll(/^event: .*\n/gm, ""),
    out: sound,
    edits: ["event_line"],
    breaks: true,
  },
  {
    name: "another name in the `event:` line",
    stream: sound.replaceAll(/^event: .*$/gm, "event: message"),
    out: sound,
    edits: ["event_line"],
  },
  {
    name: "the type in the `event:` line alone",
    stream: sound.replace('{"type":"message_stop"}', "{}"),
    out: sound,
    edits: ["messages_event"],
    breaks: true,
  },
  {
    name: "an end without usage",
    stream: streamOf(start, open, add, close, { type: "message_delta", delta: end.delta }, stop),
    out: streamOf(
      start,
      open,
      add,
      close,
      { usage: { output_tokens: 2 }, type: "message_delta", delta: end.delta },
      stop,
    ),
    edits: ["messages_event"],
    breaks: true,
  },
  {
    name: "an end whose usage leaves out what was written",
    stream: streamOf(start, open, add, close, { ...end, usage: { input_tokens: 4 } }, stop),
    out: streamOf(
      start,
      open,
      add,
      close,
      { ...end, usage: { output_tokens: 2, input_tokens: 4 } },
      stop,
    ),
    edits: ["messages_event"],
  },
  {
    name: "chat's word for the end",
    stream: streamOf(start, open, add, close, { ...end, delta: { stop_reason: "stop" } }, stop),
    out: streamOf(start, open, add, close, { ...end, delta: { stop_reason: "end_turn" } }, stop),
    edits: ["messages_event"],
  },
  {
    name: "a call whose end denies it",
    stream: streamOf(start, tool, close, end, stop),
    out: streamOf(
      start,
      tool,
      close,
      { ...end, delta: { ...end.delta, stop_reason: "tool_use" } },
      stop,
    ),
    edits: ["messages_event"],
  },
  {
    name: "a beginning without content and usage",
    stream: streamOf(
      { type: "message_start", message: { id: "msg_1" } },
      open,
      add,
      close,
      end,
      stop,
    ),
    out: streamOf(
      {
        type: "message_start",
        message: { role: "assistant", content: [], usage: { input_tokens: 0 }, id: "msg_1" },
      },
      open,
      add,
      close,
      end,
      stop,
    ),
    edits: ["messages_event"],
    breaks: true,
  },
  {
    name: "no beginning",
    stream: streamOf(open, add, close, end, stop),
    out: streamOf(
      {
        type: "message_start",
        message: {
          id: "msg_own",
          type: "message",
          role: "assistant",
          model: "own-model",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 0, output_tokens: 0 },
        },
      },
      open,
      add,
      close,
      end,
      stop,
    ),
    edits: ["message_start"],
    breaks: true,
  },
  {
    name: "two beginnings",
    stream: streamOf(start, start, open, add, close, end, stop),
    out: sound,
    edits: ["dropped_frame"],
    breaks: true,
  },
  {
    name: "blocks without an index",
    stream: streamOf(
      start,
      { ...open, index: undefined },
      { ...add, index: undefined },
      { ...close, index: null },
      end,
      stop,
    ),
    out: streamOf(
      start,
      { index: 0, type: open.type, content_block: open.content_block },
      { index: 0, type: add.type, delta: add.delta },
      close,
      end,
      stop,
    ),
    edits: ["messages_event"],
    breaks: true,
  },
  {
    name: "a block that never closes",
    stream: streamOf(start, open, add, end, stop),
    out: sound,
    edits: ["block_stop"],
  },
  {
    name: "a stop without an end",
    stream: streamOf(start, open, add, close, stop),
    out: streamOf(start, open, add, close, usageOf(2), stop),
    edits: ["finish_chunk"],
  },
  {
    name: "an end without a stop",
    stream: streamOf(start, open, add, close, end),
    out: sound,
    edits: ["message_stop"],
    breaks: true,
  },
  {
    name: "chat's marker in place of the stop",
    stream: `${streamOf(start, open, add, close, end)}data: [DONE]\n\n`,
    out: sound,
    edits: ["message_stop"],
    breaks: true,
  },
  {
    name: "a last frame that no blank line ends",
    stream: sound.slice(0, -1),
    out: sound,
    edits: [],
  },
  {
    name: "a frame that is no JSON",
    stream:
      streamOf(start, open) +
      "event: content_block_delta\ndata: {oops\n\n" +
      streamOf(add, close, end, stop),
    out: sound,
    edits: ["dropped_frame"],
    breaks: true,
  },
  {
    name: "two events without a blank line between them",
    stream: sound.replace("\n\nevent: content_block_delta", "\nevent: content_block_delta"),
    out: sound,
    edits: ["salvaged_frame"],
    breaks: true,
  },
];

test.each(REPAIRS)("a stream is repaired so that SDKs read it: $name", async (repair) => {
  const { out, edits, error } = passed(repair.stream);

  expect({ out, edits, error }).toEqual({ out: repair.out, edits: [...repair.edits], error: null });
  await Promise.all(
    SDKS.map(async ({ stream }) => {
      expect(await readBySdk(stream(out))).toEqual({
        message: expect.objectContaining({ role: "assistant" }),
        events: expect.any(Array),
      });
    }),
  );
});

/** The recording of the repairs says `hi`, and a message that does is one that was read. */
const isRead = ({ message }: ReadBySdk) => JSON.stringify(message ?? null).includes('"text":"hi"');

test.each(REPAIRS.filter(({ breaks }) => breaks))(
  "an SDK cannot read it as it came: $name",
  async ({ stream: text }) => {
    const read = await Promise.all(SDKS.map(({ stream }) => readBySdk(stream(text))));

    expect(read.every(isRead)).toBe(false);
  },
);

test.each(["error-first", "error-mid-stream"])(
  "nothing of an error is forwarded: %s",
  async (name) => {
    const { out, error } = passed(await recorded(name));

    expect(JSON.parse(error ?? "{}")).toMatchObject({ type: "error" });
    expect(out).not.toContain("event: error");
  },
);

test("a stream that breaks off in a block is no finished one", async () => {
  const text = await recorded("text");

  expect(passed(text.slice(0, text.indexOf("event: message_delta"))).facts.is_finished).toBe(false);
});
