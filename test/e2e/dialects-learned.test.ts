import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { CLAUDES, type DialectRig, openDialectRig, PATHS } from "../support/dialect-rig.ts";
import { provider } from "../support/router.ts";
import { completion, scriptedUpstream } from "../support/scripted-upstream.ts";
import type { Script } from "../support/wire-rig.ts";

const POOL = `[pools.claudes]\ntargets = ["anthropic:${CLAUDES[1]}", "anthropic:${CLAUDES[2]}"]\n`;

let rig: DialectRig;
beforeEach(async () => {
  rig = await openDialectRig({ config: POOL });
});
afterEach(() => rig[Symbol.asyncDispose]());

const MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: "ok" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
};

type Body = Readonly<Record<string, unknown>>;

/** Anthropic, which answers 400 with what `refuses` says of a body, unless that is null. */
const claude =
  (refuses: (body: Body) => string | null): Script =>
  (wire, request) => {
    const message = refuses(JSON.parse(new TextDecoder().decode(request.body)));
    if (message === null) return wire.json(MESSAGE);
    return wire.json({ type: "error", error: { type: "invalid_request_error", message } }, 400);
  };

const thinkingOf = ({ thinking }: Body) => thinking;

describe("the form of thinking", () => {
  test("that a model refuses is said otherwise in the same attempt, and from then on at once", async () => {
    rig.scripts.anthropic = claude(({ thinking }) =>
      JSON.stringify(thinking).includes("enabled")
        ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'
        : null,
    );
    const ask = {
      model: `anthropic:${CLAUDES[1]}`,
      max_tokens: 4000,
      thinking: { type: "enabled", budget_tokens: 2000 },
      messages: [{ role: "user", content: "hi" }],
    };

    const first = await rig.router.post(PATHS.messages, ask);
    const second = await rig.router.post(PATHS.messages, ask);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(rig.bodies("anthropic").map(thinkingOf)).toEqual([
      { type: "enabled", budget_tokens: 2000 },
      { type: "adaptive" },
      { type: "adaptive" },
    ]);
    expect(second.headers.get("x-veriroute-warnings")).toBe("thinking (changed)");
  });

  test("goes as the client wrote it to a model that it named itself", async () => {
    rig.scripts.anthropic = claude(() => null);
    const thinking = { type: "enabled", budget_tokens: 2000, display: "summarized" };

    const response = await rig.router.post(PATHS.messages, {
      model: `anthropic:${CLAUDES[2]}`,
      max_tokens: 4000,
      thinking,
      messages: [{ role: "user", content: "hi" }],
    });

    expect(response.headers.get("x-veriroute-warnings")).toBeNull();
    expect(rig.bodies("anthropic").map(thinkingOf)).toEqual([thinking]);
  });

  test("fits each model of a pool, which the client could not know", async () => {
    rig.scripts.anthropic = (wire, request) => {
      const isFirst = new TextDecoder().decode(request.body).includes(CLAUDES[1] ?? "");
      return isFirst
        ? wire.json({ type: "error", error: { type: "api_error", message: "broken" } }, 500)
        : wire.json(MESSAGE);
    };

    const response = await rig.router.post(PATHS.messages, {
      model: "pool:claudes",
      max_tokens: 4000,
      thinking: { type: "enabled", budget_tokens: 2000 },
      messages: [{ role: "user", content: "hi" }],
    });

    expect(response.status).toBe(200);
    expect(rig.bodies("anthropic").map(thinkingOf)).toEqual([
      { type: "enabled", budget_tokens: 2000 },
      { type: "enabled", budget_tokens: 2000 },
      { type: "adaptive" },
    ]);
  });
});

const THOUGHT = [
  { role: "user", content: "think" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "hm", signature: "c2ln" },
      { type: "text", text: "done" },
    ],
  },
  { role: "user", content: "and now?" },
];
const isThought = (body: Body) => JSON.stringify(body).includes('"thinking":"hm"');

describe("what was thought in earlier turns", () => {
  test("goes to the model that is asked first, and to no other after it", async () => {
    rig.scripts.anthropic = (wire, request) =>
      new TextDecoder().decode(request.body).includes(CLAUDES[2] ?? "")
        ? wire.json(MESSAGE)
        : wire.json({ type: "error", error: { type: "api_error", message: "broken" } }, 500);

    const response = await rig.router.post(PATHS.messages, {
      model: "pool:claudes",
      max_tokens: 4000,
      messages: THOUGHT,
    });

    expect(response.status).toBe(200);
    const sent = rig.bodies("anthropic");
    expect(sent.map(({ model }) => model)).toEqual([CLAUDES[1], CLAUDES[1], CLAUDES[2]]);
    expect(sent.map(isThought)).toEqual([true, true, false]);
    expect(response.headers.get("x-veriroute-warnings")).toBe("messages (changed)");
  });

  test("is left out in the same attempt where its signature is refused, and the session goes on", async () => {
    rig.scripts.anthropic = claude((body) =>
      isThought(body) ? "messages.1.content.0: Invalid `signature` in `thinking` block" : null,
    );

    const response = await rig.router.post(PATHS.messages, {
      model: `anthropic:${CLAUDES[1]}`,
      max_tokens: 4000,
      messages: THOUGHT,
    });

    expect(response.status).toBe(200);
    expect(rig.bodies("anthropic").map(isThought)).toEqual([true, false]);
    expect((await rig.decision(response))["attempts"]).toMatchObject([
      { kind: "bad_request" },
      { kind: "ok", retry: true },
    ]);
  });

  test("is left out where OpenAI cannot open what another vendor sealed", async () => {
    rig.scripts.openai = (wire, request) =>
      new TextDecoder().decode(request.body).includes("sealed")
        ? wire.json(
            {
              error: {
                message: "The encrypted content gAAA could not be verified.",
                type: "invalid_request_error",
                param: null,
                code: "invalid_encrypted_content",
              },
            },
            400,
          )
        : wire.json({
            id: "resp_1",
            object: "response",
            status: "completed",
            error: null,
            output: OUTPUT,
          });

    const response = await rig.router.post(PATHS.responses, {
      model: "openai:gpt",
      input: [
        { role: "user", content: "think" },
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
        { role: "user", content: "and now?" },
      ],
    });

    expect(response.status).toBe(200);
    expect(rig.bodies("openai").map(({ input }) => Object(input).length)).toEqual([3, 2]);
  });

  test("a 400 about anything else is not tried again", async () => {
    rig.scripts.anthropic = claude(() => "messages.0: all is wrong");

    const response = await rig.router.post(PATHS.messages, {
      model: `anthropic:${CLAUDES[1]}`,
      max_tokens: 4000,
      messages: THOUGHT,
    });

    expect(response.status).toBe(400);
    expect(rig.sent("anthropic").length).toBe(1);
  });
});

const OUTPUT = [
  {
    id: "m",
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "ok", annotations: [] }],
  },
];

describe("a local server whose release lacks the newer paths", () => {
  test.each([
    { what: "a plain 404", answer: { status: 404, body: '{"detail":"Not Found"}' } },
    {
      what: "llama.cpp's own",
      answer: {
        status: 404,
        body: '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}',
      },
    },
    { what: "405", answer: { status: 405, body: "Method Not Allowed" } },
    { what: "501", answer: { status: 501, body: "" } },
  ])("is spoken to in chat after $what, from then on at once", async ({ answer }) => {
    using old = scriptedUpstream((wire, { path }) => {
      if (path === "/v1/chat/completions") return wire.json(completion("from chat"));
      return wire.json(answer.body, answer.status);
    });
    await rig[Symbol.asyncDispose]();
    const config = provider("old", old.base_url).replace("openai-compatible", "vllm");
    rig = await openDialectRig({ config });
    const ask = { max_tokens: 50, messages: [{ role: "user", content: "hi" }] };

    const first = await rig.router.post(PATHS.messages, { model: "old:m", ...ask });
    const second = await rig.router.post(PATHS.messages, { model: "old:m", ...ask });
    const third = await rig.router.post(PATHS.responses, { model: "old:m", input: "hi" });

    expect(await first.json()).toMatchObject({ content: [{ text: "from chat" }] });
    expect([second.status, third.status]).toEqual([200, 200]);
    expect(old.requests.map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/v1/chat/completions",
      "/v1/chat/completions",
      "/v1/responses",
      "/v1/chat/completions",
    ]);
  });

  test("is not taken for one that lacks the model", async () => {
    using server = scriptedUpstream((wire) =>
      wire.json(
        { error: { message: "The model `m` does not exist.", type: "NotFoundError" } },
        404,
      ),
    );
    await rig[Symbol.asyncDispose]();
    const config = provider("old", server.base_url).replace("openai-compatible", "vllm");
    rig = await openDialectRig({ config });

    const response = await rig.router.post(PATHS.messages, {
      model: "old:m",
      max_tokens: 50,
      messages: [{ role: "user", content: "hi" }],
    });

    expect(response.status).toBe(404);
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/messages"]);
  });
});
