import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { type DialectRig, openDialectRig, PATHS } from "../support/dialect-rig.ts";
import { completion } from "../support/scripted-upstream.ts";
import { answers, type Script } from "../support/wire-rig.ts";

const POOLS = [
  `[pools.both]\ntargets = ["anthropic:claude-sonnet-4-6", "plain:m"]`,
  `[pools.back]\ntargets = ["plain:m", "anthropic:claude-sonnet-4-6"]`,
  `[pools.open]\ntargets = ["anthropic:claude-sonnet-4-6", "plain:m", "openai:gpt"]`,
].join("\n");

let rig: DialectRig;
beforeEach(async () => {
  rig = await openDialectRig({ config: `${POOLS}\n` });
});
afterEach(() => rig[Symbol.asyncDispose]());

const MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: "from Claude" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};
const OVERLOADED: Script = (wire) =>
  wire.json({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, 529);
const messages = (more: object = {}) => ({
  max_tokens: 4000,
  messages: [{ role: "user", content: "hi" }],
  ...more,
});

describe("a request that fails in one dialect is answered in another", () => {
  test("from a Messages target to one of chat, for a Messages client", async () => {
    rig.scripts.anthropic = OVERLOADED;
    rig.scripts.plain = answers(JSON.stringify(completion("from chat")));

    const response = await rig.router.post(PATHS.messages, { model: "pool:both", ...messages() });

    expect(await response.json()).toMatchObject({
      type: "message",
      content: [{ type: "text", text: "from chat" }],
      veriroute: { served: "plain:m", attempts: 3 },
    });
    expect((await rig.decision(response))["attempts"]).toMatchObject([
      { kind: "overloaded" },
      { kind: "overloaded", retry: true },
      { kind: "ok" },
    ]);
  });

  test("from a chat target to one of Messages, for a chat client", async () => {
    rig.scripts.plain = (wire) => wire.json({ error: { message: "Insufficient Balance" } }, 402);
    rig.scripts.anthropic = answers(JSON.stringify(MESSAGE));

    const response = await rig.router.post(PATHS.chat, {
      model: "pool:back",
      messages: [{ role: "user", content: "hi" }],
    });

    expect(await response.json()).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: "from Claude" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 2 },
    });
  });

  test("an empty Messages answer is rescued by a chat target before the client sees any of it", async () => {
    rig.scripts.anthropic = answers(
      JSON.stringify({ ...MESSAGE, content: [], usage: { input_tokens: 3, output_tokens: 0 } }),
    );
    rig.scripts.plain = answers(JSON.stringify(completion("rescued")));

    const response = await rig.router.post(PATHS.messages, { model: "pool:both", ...messages() });

    expect(await response.json()).toMatchObject({ content: [{ type: "text", text: "rescued" }] });
    expect((await rig.decision(response))["attempts"]).toMatchObject([
      { kind: "malformed_empty", verification: { signature: "empty_200" } },
      { kind: "ok" },
    ]);
  });
});

test.each([
  { path: PATHS.messages, model: "plain:m" },
  { path: PATHS.chat, model: "anthropic:claude-sonnet-4-6" },
])(
  "a body that nests too deeply for a translation is refused before $model",
  async ({ path, model }) => {
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    const body = `{"model":"${model}","max_tokens":5,"messages":[{"role":"user","content":"x","b":${deep}}]}`;

    const response = await rig.router.post(path, body);

    expect(response.status).toBe(400);
    expect(await response.text()).toContain("nests too deeply");
  },
);

describe("what only some targets can be told", () => {
  test("leaves out the others, and says why", async () => {
    rig.scripts.openai = answers(JSON.stringify(RESPONSE));

    const response = await rig.router.post(PATHS.responses, {
      model: "pool:open",
      input: "hi",
      previous_response_id: "resp_9",
    });

    expect(response.status).toBe(200);
    expect(rig.bodies("openai")).toMatchObject([{ previous_response_id: "resp_9" }]);
    const { candidates } = Object((await rig.decision(response))["plan"]);
    expect(candidates).toMatchObject([
      { target: "openai:gpt", eligible: true },
      {
        target: "anthropic:claude-sonnet-4-6",
        reasons: [{ layer: 0, code: "dialect_unsupported", detail: expect.any(String) }],
      },
      { target: "plain:m", reasons: [{ layer: 0, code: "dialect_unsupported" }] },
    ]);
  });

  test.each([
    {
      what: "an earlier response, before a target of chat",
      path: PATHS.responses,
      body: { model: "plain:m", input: "hi", previous_response_id: "resp_9" },
      error: { code: "previous_response_not_found", param: "previous_response_id" },
    },
    {
      what: "two answers, before Anthropic",
      path: PATHS.chat,
      body: {
        model: "anthropic:claude-sonnet-4-6",
        messages: [{ role: "user", content: "x" }],
        n: 2,
      },
      error: { code: "unsupported_parameter", param: "n" },
    },
  ])("is refused where nobody is left: $what", async ({ path, body, error }) => {
    const response = await rig.router.post(path, body);

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error });
    expect(rig.sent("plain").length + rig.sent("anthropic").length).toBe(0);
  });

  test("is refused in the words of Messages to a client that speaks them", async () => {
    const mcp_servers = [{ type: "url", url: "https://mcp.example", name: "x" }];

    const response = await rig.router.post(PATHS.messages, {
      model: "plain:m",
      ...messages({ mcp_servers }),
    });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: expect.stringContaining("mcp_servers"),
        details: { error_code: "unsupported_parameter", param: "mcp_servers" },
      },
    });
  });
});

const RESPONSE = {
  id: "resp_1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "gpt",
  error: null,
  output: [
    {
      id: "m",
      type: "message",
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: "ok", annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

describe("what a translation leaves out", () => {
  test("is named in the decision and in a header", async () => {
    rig.scripts.anthropic = answers(JSON.stringify(MESSAGE));

    const response = await rig.router.post(PATHS.chat, {
      model: "anthropic:claude-sonnet-4-6",
      messages: [{ role: "user", content: "hi" }],
      seed: 7,
      logit_bias: { "5": 1 },
    });

    expect(response.headers.get("x-veriroute-warnings")).toBe("seed, logit_bias");
    expect((await rig.decision(response))["edits"]).toEqual(["lossy:seed", "lossy:logit_bias"]);
  });

  test("is named without a word of the client's own, and not without end", async () => {
    rig.scripts.plain = answers(JSON.stringify(completion("ok")));
    const odd = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`member_${at}`, at]));

    const response = await rig.router.post(PATHS.messages, {
      model: "plain:m",
      "my secret plan": 1,
      ...odd,
      ...messages(),
    });

    const { edits } = Object(await rig.decision(response));
    expect(edits.slice(0, 2)).toEqual(["lossy:other", "lossy:member_0"]);
    expect(edits).toHaveLength(21);
    expect(edits.at(-1)).toBe("lossy:more");
  });

  test("is named in the comment of a stream whose headers went out before it was known", async () => {
    await rig[Symbol.asyncDispose]();
    rig = await openDialectRig({ config: '[server]\nkeepalive_after = "50ms"\n' });
    const isEarly = Promise.withResolvers<void>();
    rig.scripts.plain = async (wire) => {
      await isEarly.promise;
      wire.json(completion("late"));
    };

    const response = await rig.router.post(PATHS.messages, {
      model: "plain:m",
      stream: true,
      ...messages({ top_k: 5 }),
    });
    isEarly.resolve();
    const text = await response.text();

    expect(response.headers.get("x-veriroute-target")).toBeNull();
    expect(text).toStartWith('event: ping\ndata: {"type":"ping"}\n\n');
    expect(text).toContain(
      ': veriroute {"target":"plain:m","attempts":1,"pool":null,"warnings":["top_k"]}\n\nevent: message_start',
    );
    expect(text).toEndWith('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  });
});

test("the parameters of a target are told in the words of its dialect", async () => {
  rig.scripts.anthropic = answers(JSON.stringify(MESSAGE));
  rig.scripts.openai = answers(JSON.stringify(RESPONSE));
  const own = { messages: [{ role: "user", content: "hi" }] };

  await rig.router.post(PATHS.chat, {
    model: "anthropic:claude-sonnet-4-6?max_tokens=77&stop=END",
    ...own,
  });
  await rig.router.post(PATHS.responses, {
    model: "openai:gpt?max_tokens=77&effort=low",
    input: "hi",
  });

  expect(rig.bodies("anthropic")).toMatchObject([{ max_tokens: 77, stop_sequences: ["END"] }]);
  expect(rig.bodies("openai")).toMatchObject([
    { max_output_tokens: 77, reasoning: { effort: "low" }, input: "hi" },
  ]);
});
