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

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

const LONG = "é\\n\\u00e9🙂x".repeat(80_000);
/** What a parser would change: spelling, order, duplicates, numbers, blanks. */
const MEMBERS = [
  '"messages" : [ {"role":"user","content":"hi"} ]',
  '"nobody_knows": { "deep" : [ null , true ] }',
  '"seed":9007199254740993',
  '"temperature":1.0, "top_p":1e0',
  '"user":"first","user":"second"',
  '"e\\u0078tra":"\\ud83d\\ude42\\/"',
  `"metadata":{"long":"${LONG}"}`,
].join(" ,\n\t");

test("a request reaches the upstream byte for byte: only the model differs and `stream` is told", async () => {
  const body = `\n{ "model" : "a:m" ,${MEMBERS} }\n`;

  const { sent } = await rig.ask(answers(JSON.stringify(OK)), body);

  expect(textOf(sent[0]?.body)).toBe(`\n{"stream":false, "model" : "m" ,${MEMBERS} }\n`);
  expect(sent[0]?.headers.get("content-length")).toBe(String(sent[0]?.body.length));
});

test("a request for a stream reaches the upstream byte for byte: only the model and the usage option differ", async () => {
  const body = `{"stream":true, "model":"a:m",${MEMBERS},"stream_options":{ "x" : 1.0 }}`;

  const { sent } = await rig.ask(streams([streamOf("ok")]), body);

  expect(textOf(sent[0]?.body)).toBe(
    `{"stream":true, "model":"m",${MEMBERS},"stream_options":{"include_usage":true, "x" : 1.0 }}`,
  );
});

test.each([
  {
    path: "/completions",
    input: '"prompt":["a",  1]',
    answer: '{"choices":[{"index":0,"text":"ok","finish_reason":"stop"}]}',
    stream: '"stream":false,',
  },
  {
    path: "/embeddings",
    input: '"input": "a"',
    answer: '{"data":[{"index":0,"embedding":[0.5]}]}',
    stream: "",
  },
])(
  "a request to $path reaches the upstream byte for byte",
  async ({ path, input, answer, stream }) => {
    const { sent, response } = await rig.ask(answers(answer), `{"model":"a:m",${input}, "n":1.0}`, {
      path,
    });

    expect(response.status).toBe(200);
    expect(sent[0]?.path).toBe(`/v1${path}`);
    expect(textOf(sent[0]?.body)).toBe(`{${stream}"model":"m",${input}, "n":1.0}`);
  },
);

test("the router's block goes and is named as an edit", async () => {
  const { sent, response } = await rig.ask(
    answers(JSON.stringify(OK)),
    '{"stream":false,"veriroute":{"session":"s"}, "model":"a:m","messages":[{"role":"user","content":"x"}]}',
  );

  expect(textOf(sent[0]?.body)).toBe(
    '{"stream":false,"model":"m","messages":[{"role":"user","content":"x"}]}',
  );
  expect(await rig.edits(response)).toEqual(["veriroute_block"]);
});

const ANSWER = `{ "id":"x", "x":9007199254740993, "y":1.0 , "id":"z",\r\n"choices":[ {"index":0,"message":{"role":"assistant","content":"${LONG}\\ud83d\\ude42", "future":[1.50]},"finish_reason":"stop"} ] ,"usage":null`;

test.each([
  { name: "as it is", before: "", after: "}" },
  { name: "with blanks behind", before: "", after: "}\n\n" },
  { name: "with blanks before, which go", before: " \r\n\t\n", after: "}" },
  { name: "with a BOM before, which goes", before: "\uFEFF", after: "}" },
])(
  "an answer $name reaches the client byte for byte, with one more member",
  async ({ before, after }) => {
    const { text, response } = await rig.ask(answers(`${before}${ANSWER}${after}`), CHAT);

    const end = text.indexOf(',"veriroute":');
    expect(text.slice(0, end)).toBe(ANSWER);
    expect(text.slice(end)).toEndWith(after);
    expect(JSON.parse(`{${text.slice(end + 1)}`)).toEqual({
      veriroute: {
        decision_id: response.headers.get("x-veriroute-decision"),
        asked: "a:m",
        served: "a:m",
        pool: null,
        lane: null,
        attempts: 1,
        fallback: false,
        explored: false,
      },
    });
    expect(response.headers.get("content-type")).toBe("application/json");
  },
);

const ODD = [
  `: note\r\n\r\n`,
  `id: 1\nretry: 5\ndata:{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}],"x":9007199254740993}\n\n`,
  `event: message\r\ndata: {"choices":[{"index":0,"delta":{"content":"\\u0068i"},"y":1.0,"y":2}],\r\ndata: "usage":null}\r\n\r\n`,
  `data:  {"choices":[],"prompt_filter_results":[]}\r\r`,
  `\n\n: more\n\n`,
  chunk({ content: LONG }),
  chunk({ content: null, reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] }),
  `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop","native_finish_reason":"end"}],"usage":{"prompt_tokens":1},"cost":1e-7}\n\n`,
  `data: [DONE]\n\n`,
];

test("a stream reaches the client byte for byte, odd frames, line ends and members included", async () => {
  const { text, response } = await rig.ask(streams(ODD), CHAT_STREAM);

  expect(text).toBe(ODD.join(""));
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(await rig.edits(response)).toEqual(["stream_options"]);
});

test("a legacy stream reaches the client byte for byte", async () => {
  const frames =
    'data: {"id":"c","object":"text_completion","choices":[{"text":"a","index":0,"logprobs":null,"finish_reason":null}]}\n\n' +
    'data: {"id":"c","object":"text_completion","choices":[{"text":"","index":0,"finish_reason":"length"}]}\n\ndata: [DONE]\n\n';

  const { text } = await rig.ask(
    streams([frames]),
    { model: "a:m", prompt: "x", stream: true },
    { path: "/completions" },
  );

  expect(text).toBe(frames);
});

const wholeChoice = (index: number) =>
  `{"index":${index},"message":{"content":"${index}"},"finish_reason":"stop"}`;

test("several choices reach the client byte for byte, in a stream and whole", async () => {
  const frames = [0, 1, 1, 0].map(
    (index, at) =>
      `data: {"choices":[{"index":${index},"delta":{"content":"${at}"},"finish_reason":null}]}\n\n`,
  );
  const ends = [1, 0].map(
    (index) => `data: {"choices":[{"index":${index},"delta":{},"finish_reason":"stop"}]}\n\n`,
  );
  const stream = [...frames, ...ends, "data: [DONE]\n\n"];

  expect((await rig.ask(streams(stream), { ...CHAT_STREAM, n: 2 })).text).toBe(stream.join(""));

  const { text } = await rig.ask(answers(`{"choices":[${wholeChoice(0)} , ${wholeChoice(1)}]}`), {
    ...CHAT,
    n: 2,
  });
  expect(text).toStartWith(`{"choices":[${wholeChoice(0)} , ${wholeChoice(1)}],"veriroute":`);
});

const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

test("nesting of a hundred thousand levels passes both ways, and breaks nothing where the upstream refuses it", async () => {
  const body = `{"stream":false,"model":"a:m","messages":[{"role":"user","content":"hi"}],"deep":${DEEP}}`;
  const answer = JSON.stringify(OK).replace(/\}$/, `,"deep":${DEEP}}`);

  const passed = await rig.ask(answers(answer), body);
  const refused = await rig.ask((wire) => wire.json({ error: { message: "too deep" } }, 400), body);

  expect(textOf(passed.sent[0]?.body)).toBe(body.replace("a:m", "m"));
  expect(passed.text).toStartWith(answer.slice(0, -1));
  expect(refused.response.status).toBe(400);
  expect(JSON.parse(refused.text)).toMatchObject({
    error: { message: expect.stringContaining("too deep") },
  });
});
