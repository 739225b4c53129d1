import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DialectRig, openDialectRig, type Vendor } from "../support/dialect-rig.ts";
import { eventsOf } from "../support/read-talk.ts";
import { answers, streams } from "../support/wire-rig.ts";

let rig: DialectRig;
beforeAll(async () => {
  rig = await openDialectRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const decode = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** What a parser would change: spelling, order, duplicates, numbers, blanks, fields nobody knows. */
const ODD = [
  '"nobody_knows": { "deep" : [ null , true ] }',
  '"seed":9007199254740993',
  '"top_k":1.0, "x":1e0',
  '"user":"first","user":"second"',
  '"e\\u0078tra":"\\ud83d\\ude42\\/"',
].join(" ,\n\t");

interface Own {
  readonly dialect: string;
  readonly path: string;
  readonly vendor: Vendor;
  readonly model: string;
  readonly ask: string;
}

const OWN: readonly Own[] = [
  {
    dialect: "Messages",
    path: "/v1/messages",
    vendor: "anthropic",
    model: "claude-sonnet-4-6",
    ask: '"max_tokens" : 5e1, "system":[ {"type":"text","text":"s","cache_control":{"type":"ephemeral"}} ],"messages" : [ {"role":"user","content":"hi"} ]',
  },
  {
    dialect: "Responses",
    path: "/v1/responses",
    vendor: "openai",
    model: "gpt",
    ask: '"input" : [ {"role":"user","content":"hi" } ], "store":true,"include" : []',
  },
];

test.each(OWN)(
  "a $dialect request reaches a target that speaks it byte for byte but for the model",
  async ({ path, vendor, model, ask }) => {
    rig.scripts[vendor] = answers("{}");
    const before = rig.sent(vendor).length;

    for (const stream of ['"stream" : true', '"stream" :false']) {
      const body = `\n{ "model" : "${vendor}:${model}" ,${ask},${ODD},${stream} }\n`;
      await (await rig.router.post(path, body)).text();
    }

    expect(
      rig
        .sent(vendor)
        .slice(before)
        .map(({ body }) => decode(body)),
    ).toEqual([
      `\n{ "model" : "${model}" ,${ask},${ODD},"stream" : true }\n`,
      `\n{ "model" : "${model}" ,${ask},${ODD},"stream" :false }\n`,
    ]);
  },
);

test("a Messages client's own version and betas reach Anthropic, its key does not", async () => {
  rig.scripts.anthropic = answers("{}");

  await rig.router.post("/v1/messages?beta=true", MESSAGES_BODY, {
    headers: {
      "anthropic-version": "2026-10-21",
      "anthropic-beta": "a-1,b-2",
      authorization: "Bearer sk-client",
      "x-api-key": "sk-client",
    },
  });

  const headers = rig.sent("anthropic").at(-1)?.headers;
  const names = ["anthropic-version", "anthropic-beta", "authorization", "x-api-key"];
  expect(names.map((name) => headers?.get(name))).toEqual([
    "2026-10-21",
    "a-1,b-2",
    null,
    "sk-anthropic-key",
  ]);
});

test("a translated request names no version or beta of its client", async () => {
  rig.scripts.plain = answers("{}");

  await rig.router.post(
    "/v1/messages",
    { ...MESSAGES_BODY, model: "plain:m" },
    { headers: { "anthropic-version": "2026-10-21", "anthropic-beta": "a-1" } },
  );

  const headers = rig.sent("plain").at(-1)?.headers;
  expect([headers?.get("anthropic-version"), headers?.get("anthropic-beta")]).toEqual([null, null]);
});

const MESSAGES_BODY = {
  model: "anthropic:claude-sonnet-4-6",
  max_tokens: 50,
  messages: [{ role: "user", content: "hi" }],
};

const MESSAGE =
  '{ "type":"message", "id" : "msg_1","role":"assistant","content":[ {"type":"text","text":"h\\u0069"} ],' +
  '"stop_reason" : "end_turn","stop_sequence":null,"usage":{"input_tokens":1.0,"output_tokens":1}, "new":[ ] }';
const RESPONSE =
  '{ "id":"resp_1","object" : "response","status":"completed","error":null,"output":[ {"type":"message","id":"m",' +
  '"role":"assistant","content":[{"type":"output_text","text":"h\\u0069"}]} ],"usage":{"input_tokens":1,"output_tokens":1} }';

test.each([
  { ...OWN[0], answer: MESSAGE },
  { ...OWN[1], answer: RESPONSE },
])(
  "a whole answer in $dialect reaches its client byte for byte but for the router's member",
  async ({ path = "", vendor = "plain", model, ask, answer }) => {
    rig.scripts[vendor] = answers(`\n ${answer}`);

    const response = await rig.router.post(path, `{"model":"${vendor}:${model}",${ask}}`);
    const text = await response.text();

    const member = /,"veriroute":\{.*\}(?=\}$)/.exec(text)?.[0] ?? "";
    expect(JSON.parse(`{${member.slice(1)}}`)).toMatchObject({ veriroute: { attempts: 1 } });
    expect(text.replace(member, "").replaceAll(" ", "")).toBe(answer.replaceAll(" ", ""));
    expect(text.startsWith(answer.slice(0, -2))).toBe(true);
  },
);

const MESSAGES_STREAM = [
  ": hello\r\n\r\n",
  'event: message_start\r\ndata:  {"type":"message_start", "message":{"id":"msg_1","type":"message","role":"assistant","model":"c","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\r\n\r\n',
  'event: ping\ndata: {"type": "ping"}\n\n',
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"h\\u006dm"} }\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}\n\n',
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
  'id: 7\nevent: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"hi"},"new":1.0}\n\n',
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}\n\n',
  'event: something_new\ndata: {"type":"something_new","x":[ ]}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}\n\n',
  'event: message_stop\ndata: {"type":"message_stop" }\n\n',
];
const RESPONSES_STREAM = [
  'event: response.created\ndata: {"type":"response.created", "sequence_number":0,"response":{"id":"resp_1","object":"response","created_at":1,"status":"in_progress","model":"g","output":[]}}\r\n\r\n',
  'event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}}\n\n',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":2,"item_id":"m","output_index":0,"content_index":0,"delta":"h\\u0069","obfuscation":"xx"}\n\n',
  ": still here\n\n",
  'event: response.something.new\ndata: {"type":"response.something.new","sequence_number":3}\n\n',
  'event: response.completed\ndata: {"type":"response.completed","sequence_number":4,"response":{"id":"resp_1","status":"completed","output":[{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"hi"}]}],"usage":{"input_tokens":1,"output_tokens":1,"total_tokens":2}}}\n\n',
];

test.each([
  { ...OWN[0], frames: MESSAGES_STREAM },
  { ...OWN[1], frames: RESPONSES_STREAM },
])(
  "a stream in $dialect reaches its client byte for byte, however it is cut on the way",
  async ({ path = "", vendor = "plain", model, ask, frames }) => {
    const whole = frames.join("");
    const body = `{"stream":true,"model":"${vendor}:${model}",${ask}}`;
    const cut = Array.from({ length: Math.ceil(whole.length / 7) }, (_, at) =>
      whole.slice(at * 7, at * 7 + 7),
    );

    for (const pieces of [frames, cut]) {
      rig.scripts[vendor] = streams(pieces);
      const response = await rig.router.post(path, body);

      expect(await response.text()).toBe(whole);
      expect((await rig.decision(response))["edits"]).toEqual([]);
    }
  },
);

test("a whole message that came for a stream loses nothing on its way into events", async () => {
  const content = [
    { type: "thinking", thinking: "hm", signature: "c2ln" },
    { type: "text", text: "hi", citations: null },
    { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "x" } },
  ];
  const usage = { input_tokens: 1, output_tokens: 2, service_tier: "standard", new: [1] };
  const message = { ...JSON.parse(MESSAGE), model: "c", content, usage };
  rig.scripts.anthropic = answers(JSON.stringify(message));

  const response = await rig.router.post("/v1/messages", { ...MESSAGES_BODY, stream: true });
  const events = eventsOf(await response.text()).map(({ data }) => data);

  const [start] = events;
  expect(Object(start?.["message"]).usage).toMatchObject({ service_tier: "standard", new: [1] });
  expect(JSON.stringify(events)).toContain('"signature":"c2ln"');
  expect(events.flatMap(({ content_block: block }) => (block ? [Object(block).type] : []))).toEqual(
    ["thinking", "text", "server_tool_use"],
  );
});

test("a response of the other shape than was asked for keeps its id and every item", async () => {
  const output = [
    { id: "ws_1", type: "web_search_call", status: "completed" },
    {
      id: "m_1",
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "hi" }],
    },
  ];
  const whole = { id: "resp_own", object: "response", status: "completed", model: "gpt", output };
  rig.scripts.openai = answers(JSON.stringify(whole));

  const streamed = await rig.router.post("/v1/responses", { ...RESPONSES_ASK, stream: true });
  const text = await streamed.text();

  expect(eventsOf(text).at(-1)?.data).toMatchObject({
    type: "response.completed",
    response: whole,
  });

  rig.scripts.openai = streams([text]);
  const { veriroute: _, ...answer } = Object(
    await (await rig.router.post("/v1/responses", RESPONSES_ASK)).json(),
  );

  expect(answer).toEqual(whole);
});

const RESPONSES_ASK = { model: "openai:gpt", input: "hi" };
