import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { ASKS, CLAUDES, type DialectRig, openDialectRig, PATHS } from "../support/dialect-rig.ts";
import { completion } from "../support/scripted-upstream.ts";
import { answers } from "../support/wire-rig.ts";

let rig: DialectRig;
beforeEach(async () => {
  rig = await openDialectRig();
});
afterEach(() => rig[Symbol.asyncDispose]());

const COUNTED = { messages: [{ role: "user", content: "hello there, how are you?" }] };

describe("counting tokens", () => {
  test("is left to a target that can, with the body as it came", async () => {
    rig.scripts.anthropic = (wire) => wire.json({ input_tokens: 41 });
    const body = `{"model":"anthropic:${CLAUDES[1]}", "messages":[ {"role":"user","content":"h\\u0069"} ],"veriroute":{}}`;

    const response = await rig.router.post("/v1/messages/count_tokens", body, {
      headers: { "anthropic-beta": "b-1" },
    });

    expect(await response.json()).toEqual({ input_tokens: 41 });
    const [sent] = rig.sent("anthropic");
    expect(sent?.path).toBe("/v1/messages/count_tokens");
    expect(sent?.headers.get("anthropic-beta")).toBe("b-1");
    expect(new TextDecoder().decode(sent?.body)).toBe(
      `{"model":"${CLAUDES[1]}", "messages":[ {"role":"user","content":"h\\u0069"} ]}`,
    );
    expect(await rig.decision(response)).toMatchObject({
      dialect: "messages",
      outcome: "ok",
      served: `anthropic:${CLAUDES[1]}`,
      edits: [],
    });
  });

  test.each([
    { what: "of another dialect", model: "plain:m" },
    { what: "that fails to", model: `anthropic:${CLAUDES[1]}` },
  ])("is estimated for a target $what, which is blamed for nothing", async ({ model }) => {
    rig.scripts.anthropic = (wire) => wire.json({ error: { message: "broken" } }, 500);

    const response = await rig.router.post("/v1/messages/count_tokens", { model, ...COUNTED });

    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) });
    expect(await rig.decision(response)).toMatchObject({
      outcome: "ok",
      served: null,
      edits: ["tokens_estimated"],
      attempts: [],
    });
    expect(await (await rig.router.get("/v1/explain/routing")).json()).toMatchObject({
      cooldowns: [],
      breakers: [],
    });
  });

  test("of a body that says nothing is refused", async () => {
    const response = await rig.router.post("/v1/messages/count_tokens", { model: "plain:m" });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { details: { param: "messages" } },
    });
  });
});

test.each(["/v1/messages?beta=true", "/anthropic/v1/messages", "/v1/v1/messages"])(
  "Messages are also served at %s",
  async (path) => {
    rig.scripts.plain = answers(JSON.stringify(completion("ok")));

    const response = await rig.router.post(path, { model: "plain:m", ...ASKS.messages });

    expect(await response.json()).toMatchObject({ type: "message", content: [{ text: "ok" }] });
  },
);

describe("the Responses API without its store", () => {
  test("turns a WebSocket down with 426, upon which Codex goes on over HTTP", async () => {
    const response = await rig.router.get("/v1/responses", {
      headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
    });

    expect(response.status).toBe(426);
    expect(await response.json()).toMatchObject({ error: { code: "upgrade_required" } });
  });

  test.each([
    { method: "GET", path: "/v1/responses/resp_1" },
    { method: "DELETE", path: "/v1/responses/resp_1" },
    { method: "GET", path: "/v1/responses/resp_1/input_items" },
    { method: "POST", path: "/v1/responses/resp_1/cancel" },
  ])("says that it keeps nothing: $method $path", async ({ method, path }) => {
    const response = await rig.router.get(path, { method });

    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { code: "not_found", message: expect.stringContaining("keeps no responses") },
    });
  });
});

describe("the list of models", () => {
  test("tells Codex, which names its version, what it has to know of each", async () => {
    const response = await rig.router.get("/v1/models?client_version=0.171.0");
    const { data, models } = Object(await response.json());

    expect(models.length).toBe(data.length);
    const claude = models.find(({ slug }: { slug: string }) => slug === `anthropic:${CLAUDES[2]}`);
    expect(claude).toMatchObject({
      display_name: `anthropic:${CLAUDES[2]}`,
      supported_in_api: true,
      context_window: expect.any(Number),
      input_modalities: ["text", "image"],
      base_instructions: expect.stringContaining("coding agent"),
    });
  });

  test("is the same for the SDKs of both vendors", async () => {
    const openai = await (await rig.router.get("/v1/models")).json();
    const anthropic = await (
      await rig.router.get("/v1/models?limit=1000", {
        headers: { "anthropic-version": "2023-06-01" },
      })
    ).json();

    expect(anthropic).toEqual(openai);
    expect(openai).toMatchObject({ object: "list", has_more: false, models: [] });
  });
});

const reasons = (told: unknown) => Object(told).plan.candidates[0].reasons;

test.each([
  { told: "by the query", query: "?dialect=messages", headers: {}, body: { ...ASKS.messages } },
  {
    told: "by the version that it names",
    query: "",
    headers: { "anthropic-version": "2023-06-01" },
    body: { ...ASKS.messages },
  },
])("a plan is explained for a Messages body, told $told", async ({ query, headers, body }) => {
  const mcp_servers = [{ type: "url", url: "https://x.example", name: "x" }];
  const ask = { model: "plain:m", ...body, mcp_servers };

  const response = await rig.router.post(`/v1/routing/explain${query}`, ask, { headers });

  expect(reasons(await response.json())).toMatchObject([{ layer: 0, code: "dialect_unsupported" }]);
});

test("a plan is explained for a Responses body, told by its items", async () => {
  const ask = { model: "plain:m", input: [{ role: "user", content: "hi" }], background: true };

  const response = await rig.router.post("/v1/routing/explain", ask);

  expect(reasons(await response.json())).toMatchObject([{ layer: 0, code: "dialect_unsupported" }]);
});

test.each([
  {
    what: "the id of Claude Code's session",
    headers: { "x-claude-code-session-id": "s-1" },
    body: {},
  },
  { what: "whom a Messages request is for", headers: {}, body: { metadata: { user_id: "u-1" } } },
])("a conversation stays with who answered it, known by $what", async ({ headers, body }) => {
  await rig[Symbol.asyncDispose]();
  const pool = `[pools.turns]\nstrategy = "round_robin"\ntargets = ["plain:m", "openai:gpt"]\n`;
  rig = await openDialectRig({ config: pool });
  for (const vendor of ["plain", "openai"] as const) {
    rig.scripts[vendor] = answers(JSON.stringify(completion("ok")));
  }

  const served: (string | null)[] = [];
  for (let turn = 0; turn < 4; turn++) {
    const ask = { model: "pool:turns", ...ASKS.messages, ...body };
    const response = await rig.router.post(PATHS.messages, ask, { headers });
    served.push(response.headers.get("x-veriroute-target"));
  }

  expect(new Set(served).size).toBe(1);
});
