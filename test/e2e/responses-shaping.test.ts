import { afterEach, beforeEach, expect, test } from "bun:test";

import { type DialectRig, openDialectRig, PATHS } from "../support/dialect-rig.ts";
import type { Script } from "../support/wire-rig.ts";

const POOLS = [
  '[pools.old]\ntargets = ["openai:gpt-4o"]',
  '[pools.thinks]\ntargets = ["openai:o3"]',
  '[pools.new]\ntargets = ["openai:gpt-new"]',
].join("\n");

let rig: DialectRig;
beforeEach(async () => {
  rig = await openDialectRig({ config: `${POOLS}\n` });
});
afterEach(() => rig[Symbol.asyncDispose]());

const text = { type: "output_text", text: "ok", annotations: [] };
const RESPONSE = {
  id: "resp_1",
  object: "response",
  status: "completed",
  error: null,
  output: [{ type: "message", role: "assistant", status: "completed", content: [text] }],
};

type Body = Readonly<Record<string, unknown>>;

/** OpenAI, which answers 400 where a body has one of these members. */
const openAi =
  (...refused: string[]): Script =>
  (wire, request) => {
    const body: Body = JSON.parse(new TextDecoder().decode(request.body));
    const param = refused.find((name) => Object.hasOwn(body, name));
    if (param === undefined) return wire.json(RESPONSE);
    const message = `Unsupported parameter: '${param}' is not supported with this model.`;
    return wire.json({ error: { message, type: "invalid_request_error", param } }, 400);
  };

const ASK = { input: "hi", reasoning: { effort: "xhigh" }, temperature: 0.5 };

test.each([
  {
    pool: "thinks",
    sent: { reasoning: { effort: "high" } },
    edits: ["lossy:temperature", "shaped:reasoning.effort"],
  },
  { pool: "old", sent: { temperature: 0.5 }, edits: ["lossy:reasoning"] },
])("a model of the pool $pool gets a Responses request as it takes it", async (row) => {
  rig.scripts.openai = openAi();

  const response = await rig.router.post(PATHS.responses, { model: `pool:${row.pool}`, ...ASK });
  await response.text();

  expect(rig.bodies("openai")).toEqual([
    { model: expect.any(String), input: "hi", stream: false, ...row.sent },
  ]);
  expect((await rig.decision(response))["edits"]).toEqual(row.edits);
});

test("what a model refuses of Responses is learned within the attempt, and holds", async () => {
  rig.scripts.openai = openAi("temperature");

  const answers = [];
  for (let n = 0; n < 2; n++) {
    answers.push(await rig.router.post(PATHS.responses, { model: "pool:new", ...ASK }));
  }

  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(rig.bodies("openai").map((body) => Object.hasOwn(body, "temperature"))).toEqual([
    true,
    false,
    false,
  ]);
  expect(answers[1]?.headers.get("x-veriroute-warnings")).toBe("temperature");
});

test("who names the model gets its vendor's own word on a parameter", async () => {
  rig.scripts.openai = openAi("temperature");

  const response = await rig.router.post(PATHS.responses, { model: "openai:gpt-new", ...ASK });

  expect(response.status).toBe(400);
  expect(rig.bodies("openai")).toHaveLength(1);
});

test("the effort of a spec becomes the nearest that the model takes, though the client named it", async () => {
  rig.scripts.openai = openAi();

  const ask = { model: "openai:o3?effort=max", input: "hi" };
  await (await rig.router.post(PATHS.responses, ask)).text();

  expect(rig.bodies("openai")).toMatchObject([{ reasoning: { effort: "high" } }]);
});
