import { expect, test } from "bun:test";

import { answerOf, jsonOf, NOW, simulation } from "./simulation.ts";

const { chat, post, simulator } = simulation();

async function refusal(response: Response) {
  const { error } = await answerOf(response);
  return { status: response.status, param: error.param, code: error.code, message: error.message };
}

const DURATION = 'a duration up to an hour: milliseconds, or text such as `"2s"`';

test.each([
  { model: "empty", given: { rate: 1.5 }, takes: "1.5. It takes a number from 0 to 1." },
  { model: "empty", given: { rate: "0.5" }, takes: '"0.5". It takes a number from 0 to 1.' },
  { model: "empty", given: { rate: true }, takes: "true. It takes a number from 0 to 1." },
  { model: "status", given: { code: 200 }, takes: "200. It takes a whole number from 400 to 599." },
  {
    model: "status",
    given: { code: 429.5 },
    takes: "429.5. It takes a whole number from 400 to 599.",
  },
  { model: "echo", given: { delay: "2 s" }, takes: `"2 s". It takes ${DURATION}.` },
  { model: "echo", given: { delay: -1 }, takes: `-1. It takes ${DURATION}.` },
  { model: "echo", given: { ttft: "2h" }, takes: `"2h". It takes ${DURATION}.` },
  {
    model: "stall",
    given: { form: "end" },
    takes: '"end". It takes one of `headers`, `first_token`, `middle`.',
  },
  {
    model: "stall",
    given: { form: ["headers"] },
    takes: "an array. It takes one of `headers`, `first_token`, `middle`.",
  },
  {
    model: "cut",
    given: { after: { secret: 1 } },
    takes: "an object. It takes a whole number from 0 to 1000000000.",
  },
])(
  "$model with $given is a 400 that names the parameter and its range",
  async ({ model, given, takes }) => {
    const [param = ""] = Object.keys(given);

    expect(await refusal(await chat({ model, ...given }))).toEqual({
      status: 400,
      param,
      code: "invalid_value",
      message: `Invalid value for \`${param}\`: ${takes}`,
    });
  },
);

test("a parameter of another model is refused, since it would do nothing", async () => {
  expect(await refusal(await chat({ model: "echo", rate: 0.5 }))).toEqual({
    status: 400,
    param: "rate",
    code: "invalid_value",
    message:
      "`rate` is no parameter of the simulated model `echo`, which takes `delay`, `ttft`, `tokens_per_second`.",
  });
});

test.each([
  { body: { seed: 7 }, why: "a `seed` that OpenAI clients send" },
  { body: { rte: 0.5, temperature: 1 }, why: "members no model knows" },
  { body: { delay: null }, why: "null for left out" },
])("$why is accepted", async ({ body }) => {
  expect((await chat({ model: "echo", ...body })).status).toBe(200);
});

test.each([
  { body: { model: "ecko" }, says: "Nearest: `echo`." },
  { body: { model: "constructor" }, says: "The model `constructor` does not exist." },
  { body: { model: "x".repeat(200) }, says: `\`${"x".repeat(64)}…\`` },
])("the model $body.model is a 404 with the names there are", async ({ body, says }) => {
  const answer = await refusal(await chat(body));

  expect(answer).toMatchObject({ status: 404, param: "model", code: "model_not_found" });
  expect(answer.message).toContain(says);
  expect(answer.message).toContain("The simulator serves echo, story,");
});

test.each([
  { path: "chat/completions", body: "{", says: "The body is no JSON object." },
  { path: "chat/completions", body: "[]", says: "The body is no JSON object." },
  { path: "chat/completions", body: {}, says: "`model` must be a text." },
  { path: "chat/completions", body: { model: "echo" }, says: "`messages` must be an array" },
  {
    path: "chat/completions",
    body: { model: "echo", messages: [{}] },
    says: "Every message needs a `role`.",
  },
  {
    path: "chat/completions",
    body: { model: "echo", messages: ["x"] },
    says: "`messages` must be an array",
  },
  { path: "completions", body: { model: "echo", prompt: [] }, says: "`prompt` must be" },
  { path: "completions", body: { model: "echo", prompt: [[]] }, says: "`prompt` must be" },
  {
    path: "completions",
    body: { model: "echo", prompt: "a", n: 129 },
    says: "`n` must be a whole number from 1 to 128.",
  },
  {
    path: "completions",
    body: { model: "echo", prompt: "a", max_tokens: 0 },
    says: "`max_tokens` must be",
  },
  { path: "completions", body: { model: "echo", prompt: "a", stop: [""] }, says: "`stop` must be" },
  { path: "completions", body: { model: "echo", prompt: "a", stop: [1] }, says: "`stop` must be" },
  { path: "embeddings", body: { model: "embed" }, says: "`input` must be" },
  {
    path: "embeddings",
    body: { model: "embed", input: "a", dimensions: 0 },
    says: "`dimensions` must be",
  },
  {
    path: "completions",
    body: { model: "echo", prompt: Array.from({ length: 17 }, () => "a"), n: 128 },
    says: "at most 2048 choices",
  },
  {
    path: "embeddings",
    body: { model: "embed", input: Array.from({ length: 1001 }, () => "a"), dimensions: 4000 },
    says: "at most 4000000 numbers",
  },
  {
    path: "embeddings",
    body: { model: "embed", input: "a", encoding_format: "hex" },
    says: "`encoding_format` must be",
  },
])("$path refuses $body", async ({ path, body, says }) => {
  const answer = await refusal(await post(body, { path }));

  expect(answer.status).toBe(400);
  expect(answer.message).toContain(says);
});

test.each([
  { tools: {}, says: "does not list" },
  { response_format: { type: "json_schema", json_schema: {} }, says: "needs a `schema`" },
])("a chat body is refused because it $says", async ({ says, ...body }) => {
  const tools = [{ type: "function", function: { name: "f" } }];
  const tool_choice = { type: "function", function: { name: "g" } };
  const whole = body.tools === undefined ? body : { tools, tool_choice };

  expect(
    (
      await refusal(
        await chat({ model: "echo", messages: [{ role: "user", content: "a" }], ...whole }),
      )
    ).message,
  ).toContain(says);
});

test.each([
  { model: "embed", path: "chat/completions", says: "Its endpoints: embeddings." },
  { model: "echo", path: "embeddings", says: "Its endpoints: chat, completions." },
  { model: "tools", path: "completions", says: "Its endpoints: chat." },
])("$model is not served at $path", async ({ model, path, says }) => {
  const answer = await refusal(await post({ model }, { path }));

  expect(answer).toMatchObject({ status: 404, param: "model" });
  expect(answer.message).toContain(says);
});

test.each([
  { method: "GET", path: "/v1/chat/completions", status: 405, allow: "POST" },
  { method: "POST", path: "/v1/models", status: 405, allow: "GET" },
  { method: "GET", path: "/v1/nothing", status: 404, allow: null },
  { method: "GET", path: "/", status: 404, allow: null },
])("$method $path is $status", async ({ method, path, status, allow }) => {
  const response = await simulator.fetch(`http://sim.invalid${path}`, {
    method,
    signal: new AbortController().signal,
  });

  expect({ status: response.status, allow: response.headers.get("allow") }).toEqual({
    status,
    allow,
  });
});

test("a listed model has OpenAI's members", async () => {
  const response = await simulator.fetch("http://sim.invalid/v1/models/echo", {
    signal: new AbortController().signal,
  });

  expect(await jsonOf(response)).toEqual({
    id: "echo",
    object: "model",
    created: NOW / 1000,
    owned_by: "simulator",
  });
});
