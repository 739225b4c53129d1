import { afterAll, beforeAll, expect, test } from "bun:test";

import OpenAI from "openai";

import { provider, startRouter } from "../support/router.ts";
import { completion, scriptedUpstream } from "../support/scripted-upstream.ts";
import { answers, type AskInit, openWireRig, streams, type WireRig } from "../support/wire-rig.ts";

let rig: WireRig;
beforeAll(async () => {
  rig = await openWireRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const PATH: AskInit = { path: "/embeddings" };
const HALF = "AAAAPwAAgL4=";
const row = (index: number, embedding: string) =>
  `{"object":"embedding","index":${index},"embedding":${embedding}}`;
const list = (...rows: string[]) =>
  `{ "object":"list","data":[ ${rows.join(" , ")} ],"model":"m","usage":{"prompt_tokens":9007199254740993}}`;

/** An answer's text up to the router's own member. */
const unmarked = (text: string) => text.slice(0, text.indexOf(',"veriroute":'));

test.each([
  {
    name: "floats, where base64 was asked for",
    format: "base64",
    given: "[0.5,-0.25]",
    got: `"${HALF}"`,
    edits: ["embedding_format"],
  },
  {
    name: "base64, where floats were asked for",
    format: "float",
    given: `"${HALF}"`,
    got: "[0.5,-0.25]",
    edits: ["embedding_format"],
  },
  {
    name: "base64, where nothing was asked for",
    format: undefined,
    given: `"${HALF}"`,
    got: "[0.5,-0.25]",
    edits: ["embedding_format"],
  },
  { name: "base64, as asked", format: "base64", given: `"${HALF}"`, got: `"${HALF}"`, edits: [] },
  {
    name: "floats, as asked, as they are spelled",
    format: "float",
    given: "[5e-1, -0.250]",
    got: "[5e-1, -0.250]",
    edits: [],
  },
])(
  "an upstream answers with $name: the client gets what it asked for",
  async ({ format, given, got, edits }) => {
    const { text, response, sent } = await rig.ask(
      answers(list(row(0, given))),
      { model: "a:m", input: "hello", encoding_format: format },
      PATH,
    );

    expect(unmarked(text)).toBe(list(row(0, got)).slice(0, -1));
    expect(await rig.edits(response)).toEqual(edits);
    expect(JSON.parse(new TextDecoder().decode(sent[0]?.body))).toEqual({
      model: "m",
      input: "hello",
      ...(format !== undefined && { encoding_format: format }),
    });
  },
);

test("rows come in the order of their index", async () => {
  const { text, response } = await rig.ask(
    answers(list(row(2, "[3]"), row(0, "[1]"), row(1, "[2]"))),
    { model: "a:m", input: ["a", "b", "c"] },
    PATH,
  );

  expect(unmarked(text)).toBe(list(row(0, "[1]"), row(1, "[2]"), row(2, "[3]")).slice(0, -1));
  expect(await rig.edits(response)).toEqual(["embedding_order"]);
});

test("`dimensions` that the upstream does not honour is a 400 that names it, and no other model is asked", async () => {
  using wide = scriptedUpstream((wire) =>
    wire.json(list(row(0, `[${Array.from({ length: 768 }, () => 1).join(",")}]`))),
  );
  using other = scriptedUpstream((wire) => wire.json(completion("never")));
  await using router = await startRouter({
    config: `${provider("a", wide.base_url)}${provider("b", other.base_url).replace('["m"]', '["n"]')}[pools.p]\ntargets = ["a:m", "b:n"]\n`,
  });

  const response = await router.post("/v1/embeddings", {
    model: "pool:p",
    input: "a",
    dimensions: 256,
  });

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    error: {
      code: "unsupported_parameter",
      param: "dimensions",
      message: expect.stringMatching(/`dimensions` 256 .* 768/),
    },
  });
  expect(other.requests).toHaveLength(0);
});

test("`dimensions` that the upstream honours passes, in either format", async () => {
  for (const given of ["[0.5,-0.25]", `"${HALF}"`]) {
    const { response } = await rig.ask(
      answers(list(row(0, given))),
      { model: "a:m", input: "a", dimensions: 2 },
      PATH,
    );

    expect(response.status).toBe(200);
  }
});

test.each([
  {
    name: "fewer rows than inputs",
    script: answers(list(row(0, "[1]"))),
    says: "1 rows for 2 inputs",
  },
  {
    name: "more rows than inputs",
    script: answers(list(row(0, "[1]"), row(1, "[1]"), row(2, "[1]"))),
    says: "3 rows for 2 inputs",
  },
  { name: "no rows", script: answers('{"object":"list","data":[]}'), says: "no `data` rows" },
  { name: "an empty vector", script: answers(list(row(0, "[1]"), row(1, "[]"))), says: "row 1" },
  {
    name: "a row without vector",
    script: answers(list(row(0, "null"), row(1, "[1]"))),
    says: "row 0",
  },
  {
    name: "a chat answer",
    script: answers(JSON.stringify(completion("ok"))),
    says: "no `data` rows",
  },
])("$name is a 502 that says so", async ({ script, says }) => {
  await using own = await openWireRig();

  const { response, text } = await own.ask(script, { model: "a:m", input: ["a", "b"] }, PATH);

  expect(response.status).toBe(502);
  expect(JSON.parse(text)).toMatchObject({
    error: { code: "upstream_bad_answer", message: expect.stringContaining(says) },
  });
});

test.each([
  { name: "`null`", script: answers("null") },
  { name: "a stream", script: streams(["data: [DONE]\n\n"]) },
  { name: "an error with a 200", script: answers('{"error":{"message":"no","code":500}}') },
])("$name instead of vectors is an error, not an empty list", async ({ script }) => {
  await using own = await openWireRig();

  const { response } = await own.ask(script, { model: "a:m", input: "a" }, PATH);

  expect(response.status).toBe(502);
});

test("token lists count as the inputs they are", async () => {
  const one = await rig.ask(answers(list(row(0, "[1]"))), { model: "a:m", input: [1, 2, 3] }, PATH);
  const two = await rig.ask(
    answers(list(row(0, "[1]"), row(1, "[2]"))),
    { model: "a:m", input: [[1], [2, 3]] },
    PATH,
  );

  expect([one.response.status, two.response.status]).toEqual([200, 200]);
});

test("a target whose vendor rejects base64 is asked for floats, and the client still gets base64", async () => {
  using upstream = scriptedUpstream((wire) => wire.json(list(row(0, "[0.5,-0.25]"))));
  await using router = await startRouter({
    config: `[providers.mistral]\ntype = "mistral"\nbase_url = "${upstream.base_url}"\nmodels = ["m"]\napi_key = "k"\n`,
  });

  const response = await router.post("/v1/embeddings", {
    model: "mistral:m",
    input: "a",
    encoding_format: "base64",
  });

  expect(unmarked(await response.text())).toBe(list(row(0, `"${HALF}"`)).slice(0, -1));
  expect(new TextDecoder().decode(upstream.requests[0]?.body)).not.toContain("base64");
});

test("a real client, which asks for base64 by itself, gets the right width and numbers", async () => {
  const wide = Array.from({ length: 1536 }, (_, at) => Math.fround(Math.sin(at)));
  await rig.ask(
    answers(list(row(1, `[${wide.join(",")}]`), row(0, "[0.5,-0.25]"))),
    { model: "a:m", input: ["a", "b"] },
    PATH,
  );
  const client = new OpenAI({ baseURL: `${rig.router.url}/v1`, apiKey: "unused", maxRetries: 0 });

  const { data } = await client.embeddings.create({ model: "a:m", input: ["a", "b"] });

  expect(data.map(({ embedding }) => embedding)).toEqual([[0.5, -0.25], wide]);
});
