import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { objectMembers } from "../../../../src/protocol/json/scan.ts";
import { outgoingBody } from "../../../../src/protocol/openai/outgoing.ts";
import { spellParams } from "../../../../src/protocol/openai/spell-params.ts";
import { objectText } from "../json/documents.ts";

interface Sent {
  readonly dialect?: "chat" | "completions" | "embeddings";
  readonly model?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly stream_options?: boolean;
  readonly encoding_format?: boolean;
}

/** The body sent to a target for a client's text, and the edits it took. */
function sent(text: string, { dialect = "chat", model = "m", params = {}, ...accepts }: Sent = {}) {
  const bytes = new TextEncoder().encode(text);
  const open = bytes.indexOf(0x7b);
  const parsed: Readonly<Record<string, unknown>> = JSON.parse(text);
  const source = { bytes, open, members: objectMembers(bytes, open), parsed };
  const body = outgoingBody(
    { source, dialect, stream: parsed["stream"] === true },
    {
      model,
      params: spellParams(dialect, params, parsed),
      accepts_stream_options: accepts.stream_options ?? true,
      accepts_encoding_format: accepts.encoding_format ?? true,
    },
  );
  return { text: new TextDecoder().decode(body.bytes), edits: body.edits };
}

const REST = '"big":9007199254740993, "one":1.0,"a":1,"a":2 , "\\u0078":"\\ud83d\\ude42"';

test.each([
  {
    name: "a body that is not streamed: the model, and an explicit `stream`",
    text: `{ "model":"pool:x" , ${REST} }`,
    body: `{"stream":false, "model":"m" , ${REST} }`,
    edits: [],
  },
  {
    name: "`stream: false`, kept as it is",
    text: `{"stream" : false,"model":"x",${REST}}`,
    body: `{"stream" : false,"model":"m",${REST}}`,
    edits: [],
  },
  {
    name: "`stream: null`, told plainly",
    text: '{"model":"x","stream":null}',
    body: '{"model":"m","stream":false}',
    edits: [],
  },
  {
    name: "every spelling of the model",
    text: '{"model":"x","\\u006dodel":"y"}',
    body: '{"stream":false,"model":"m","\\u006dodel":"m"}',
    edits: [],
  },
  { name: "a body without model", text: "{}", body: '{"model":"m","stream":false}', edits: [] },
  {
    name: "a stream: usage is asked for",
    text: `{"model":"x","stream":true,${REST}}`,
    body: `{"stream_options":{"include_usage":true},"model":"m","stream":true,${REST}}`,
    edits: ["stream_options"],
  },
  {
    name: "a stream with options of its own, which stay",
    text: '{"model":"x","stream":true,"stream_options":{ "include_obfuscation":false }}',
    body: '{"model":"m","stream":true,"stream_options":{"include_usage":true, "include_obfuscation":false }}',
    edits: ["stream_options"],
  },
  {
    name: "a stream whose client wants usage",
    text: '{"model":"x","stream":true,"stream_options":{"include_usage" : true}}',
    body: '{"model":"m","stream":true,"stream_options":{"include_usage" : true}}',
    edits: [],
  },
  {
    name: "a stream that refuses usage",
    text: '{"model":"x","stream":true,"stream_options":{"include_usage":false}}',
    body: '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    edits: ["stream_options"],
  },
  {
    name: "a stream with options that are null",
    text: '{"model":"x","stream":true,"stream_options":null}',
    body: '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    edits: ["stream_options"],
  },
  {
    name: "the router's own block, which goes",
    text: '{"model":"x","veriroute":{"session":"s"},"n":1}',
    body: '{"stream":false,"model":"m","n":1}',
    edits: ["veriroute_block"],
  },
])("$name", ({ text, body, edits }) => {
  expect(sent(text)).toEqual({ text: body, edits });
});

test.each([
  {
    name: "goes",
    text: '{"model":"x","stream":true,"stream_options":{"include_usage":true}}',
    body: '{"model":"m","stream":true}',
    edits: ["stream_options"],
  },
  {
    name: "is not added",
    text: '{"model":"x","stream":true}',
    body: '{"model":"m","stream":true}',
    edits: [],
  },
])("for a target that rejects `stream_options` it $name", ({ text, body, edits }) => {
  expect(sent(text, { stream_options: false })).toEqual({ text: body, edits });
});

test("embeddings get no `stream`", () => {
  expect(sent('{"model":"x","input":"a"}', { dialect: "embeddings" })).toEqual({
    text: '{"model":"m","input":"a"}',
    edits: [],
  });
});

test.each([
  { accepts: true, format: "base64", sentFormat: "base64", edits: [] },
  { accepts: false, format: "base64", sentFormat: "float", edits: ["encoding_format"] },
  { accepts: false, format: "float", sentFormat: "float", edits: [] },
])(
  "`encoding_format: $format` is sent as $sentFormat where the target accepts it: $accepts",
  ({ accepts, format, sentFormat, edits }) => {
    expect(
      sent(`{"model":"x","input":"a","encoding_format":"${format}"}`, {
        dialect: "embeddings",
        encoding_format: accepts,
      }),
    ).toEqual({ text: `{"model":"m","input":"a","encoding_format":"${sentFormat}"}`, edits });
  },
);

interface ParamRow {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly edits: string[];
}

test.each<ParamRow>([
  {
    name: "is added where the client said nothing",
    params: { temperature: 0.5 },
    body: '{"stream":false,"temperature":0.5,"model":"m","top_p":1}',
    edits: ["param:temperature"],
  },
  {
    name: "does not beat the client",
    params: { top_p: 0.5 },
    body: '{"stream":false,"model":"m","top_p":1}',
    edits: [],
  },
  {
    name: "takes the dialect's spelling",
    params: { effort: "low" },
    body: '{"stream":false,"reasoning_effort":"low","model":"m","top_p":1}',
    edits: ["param:reasoning_effort"],
  },
  {
    name: "never touches what the router decides",
    params: { model: "z", stream: true, messages: [] },
    body: '{"stream":false,"model":"m","top_p":1}',
    edits: [],
  },
  {
    name: "may be called like a member of every object",
    params: { toString: 1 },
    body: '{"stream":false,"toString":1,"model":"m","top_p":1}',
    edits: ["param:toString"],
  },
])("a target's param $name", ({ params, body, edits }) => {
  const result = sent('{"model":"x","top_p":1}', { params });

  expect({ body: membersOf(result.text), edits: result.edits }).toEqual({
    body: membersOf(body),
    edits,
  });
});

const membersOf = (text: string) => new Map(Object.entries(JSON.parse(text)));

test("whatever the client sends, only the router's own members differ", () => {
  fc.assert(
    fc.property(objectText, fc.string(), ({ text }, model) => {
      const result = sent(text, { model });

      const stream = JSON.parse(text)["stream"] === true;
      const { stream_options: _, ...rest } = JSON.parse(result.text);
      expect(rest).toEqual({ ...JSON.parse(text), model, stream });
    }),
  );
});

test("a string of a megabyte arrives as it was", () => {
  const long = "é\\n🙂".repeat(100_000);

  expect(sent(`{"stream":false,"model":"x","long":"${long}"}`).text).toBe(
    `{"stream":false,"model":"m","long":"${long}"}`,
  );
});
