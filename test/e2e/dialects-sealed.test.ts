import { afterAll, beforeAll, expect, test } from "bun:test";

import { isObject, objectOf } from "../../src/protocol/openai/fields.ts";
import { type DialectRig, openDialectRig } from "../support/dialect-rig.ts";
import { completion } from "../support/scripted-upstream.ts";
import { answers } from "../support/wire-rig.ts";

let rig: DialectRig;
beforeAll(async () => {
  rig = await openDialectRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const THOUGHT = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [
    { type: "thinking", thinking: "hm", signature: "c2lnbmVk" },
    { type: "text", text: "ok" },
  ],
  stop_reason: "end_turn",
  usage: { input_tokens: 3, output_tokens: 2 },
};

const INCLUDE = { store: false, include: ["reasoning.encrypted_content"] };

test("a session that moves from Claude to OpenAI leaves behind what only Claude can open", async () => {
  rig.scripts.anthropic = answers(JSON.stringify(THOUGHT));
  rig.scripts.openai = answers(JSON.stringify(completion("ok")));
  const first = await rig.router.post("/v1/responses", {
    model: "anthropic:claude-sonnet-4-6",
    input: "hi",
    ...INCLUDE,
  });
  const { output } = objectOf(await first.json());
  const turns = Array.isArray(output) ? output.filter(isObject) : [];
  expect(turns.map(({ type }) => type)).toEqual(["reasoning", "message"]);

  const input = [{ role: "user", content: "hi" }, ...turns, { role: "user", content: "go on" }];
  await rig.router.post("/v1/responses", { model: "openai:gpt", input, ...INCLUDE });
  await rig.router.post("/v1/responses", {
    model: "anthropic:claude-sonnet-4-6",
    input,
    ...INCLUDE,
  });

  const sent = rig.bodies("openai").at(-1)?.["input"];
  expect(Array.isArray(sent) ? sent.map((each) => objectOf(each)["type"]) : sent).toEqual([
    undefined,
    "message",
    undefined,
  ]);
  // Back at Claude its own thinking is there again, seal and all.
  expect(JSON.stringify(rig.bodies("anthropic").at(-1))).toContain("c2lnbmVk");
});
