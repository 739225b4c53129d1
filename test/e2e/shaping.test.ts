import { afterEach, beforeEach, expect, test } from "bun:test";

import { startRouter, type TestRouter } from "../support/router.ts";
import {
  completion,
  type ScriptedUpstream,
  scriptedUpstream,
  type SeenRequest,
} from "../support/scripted-upstream.ts";
import type { Script } from "../support/wire-rig.ts";

const POOL =
  '[pools.both]\ntargets = ["strict:m", "lax:m"]\n[pools.strict]\ntargets = ["strict:m"]\n';

const vendor = (name: string, type: string, base_url: string) =>
  `[providers.${name}]\ntype = "${type}"\nbase_url = "${base_url}"\napi_key = "sk-${name}-key"\nmodels = ["m", "deepseek-v4"]\n`;

let current: Script;
let strict: ScriptedUpstream;
let lax: ScriptedUpstream;
let router: TestRouter;

beforeEach(async () => {
  current = (wire) => wire.json(completion("ok"));
  strict = scriptedUpstream((wire, request) => current(wire, request));
  lax = scriptedUpstream((wire) => wire.json(completion("ok")));
  router = await startRouter({
    config:
      POOL +
      vendor("strict", "groq", strict.base_url) +
      vendor("lax", "openai-compatible", lax.base_url) +
      vendor("fast", "mistral", strict.base_url) +
      vendor("thinker", "deepseek", strict.base_url),
  });
});

afterEach(async () => {
  await router[Symbol.asyncDispose]();
  strict[Symbol.dispose]();
  lax[Symbol.dispose]();
});

const textOf = ({ body }: SeenRequest) => new TextDecoder().decode(body);
const chat = (more: string) => `{"messages":[{"role":"user","content":"hi"}]${more}}`;
const ask = (model: string, more = "") =>
  router.post("/v1/chat/completions", chat(`,"model":"${model}"${more}`));

test("a body is spliced for its vendor, and what it lost is told", async () => {
  const response = await ask("pool:strict", ',"logit_bias":{"1":2},"temperature":0.70,"x":1e2');

  expect(response.status).toBe(200);
  expect(strict.requests.map(textOf)).toEqual([
    chat(',"model":"m","temperature":0.70,"x":1e2').replace("{", '{"stream":false,'),
  ]);
  expect(response.headers.get("x-veriroute-warnings")).toBe("logit_bias");
});

test("a client that named the target is told what to change, and nobody is called", async () => {
  const response = await ask("strict:m", ',"logit_bias":{"1":2}');

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: { code: "unsupported_parameter", param: "logit_bias" },
  });
  expect(strict.requests).toEqual([]);
});

test("what an answer depends on is another target's", async () => {
  const response = await ask("pool:both", ',"n":2');

  expect(response.headers.get("x-veriroute-target")).toBe("lax:m");
  expect(lax.requests.map(textOf)).toEqual([
    chat(',"model":"m","n":2').replace("{", '{"stream":false,'),
  ]);
});

test("a spec's params are spelled as the vendor does", async () => {
  await ask("fast:m?seed=7&max_completion_tokens=9");

  const [sent = ""] = strict.requests.map(textOf);
  expect(JSON.parse(sent)).toMatchObject({ random_seed: 7, max_tokens: 9 });
});

test("a 400 that names a member is learned in the same attempt, and from then on", async () => {
  current = (wire, request) =>
    textOf(request).includes("brand_new")
      ? wire.json({ error: { message: "property 'brand_new' is unsupported" } }, 400)
      : wire.json(completion("ok"));

  const first = await ask("pool:strict", ',"brand_new":1');
  const second = await ask("pool:strict", ',"brand_new":1');

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(strict.requests.map((sent) => textOf(sent).includes("brand_new"))).toEqual([
    true,
    false,
    false,
  ]);
  expect(second.headers.get("x-veriroute-warnings")).toBe("brand_new");
});

test("one that named the target gets the vendor's words for it", async () => {
  current = (wire) => wire.json({ error: { message: "property 'brand_new' is unsupported" } }, 400);

  const response = await ask("strict:m", ',"brand_new":1');

  expect(response.status).toBe(400);
  expect(strict.requests).toHaveLength(1);
});

test("a request of another dialect is shaped as its chat form is", async () => {
  const response = await router.post("/v1/messages", {
    model: "thinker:deepseek-v4",
    max_tokens: 100,
    messages: [
      { role: "user", content: "q" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "1" }] },
    ],
    tools: [{ name: "f", input_schema: { type: "object" } }],
  });

  expect(response.status).toBe(200);
  const [sent = ""] = strict.requests.map(textOf);
  expect(JSON.parse(sent).messages[1]).toMatchObject({ role: "assistant", reasoning_content: "" });
});
