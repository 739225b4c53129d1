import { afterAll, beforeAll, expect, test } from "bun:test";

import { answers, OK, openWireRig, type WireRig } from "../support/wire-rig.ts";

const MIB = 1024 * 1024;

let rig: WireRig;
beforeAll(async () => {
  rig = await openWireRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** A chat body of a little more than this many bytes. */
const bodyOf = (size: number) =>
  `{"stream":false,"model":"a:m","messages":[{"role":"user","content":"${"A".repeat(size)}"}]}`;

test.each([{ mib: 12 }, { mib: 31 }])(
  "a request of $mib MiB reaches the upstream whole",
  async ({ mib }) => {
    const body = bodyOf(mib * MIB);

    const { response, sent } = await rig.ask(answers(JSON.stringify(OK)), body);

    expect(response.status).toBe(200);
    expect(sent[0]?.body.length).toBe(body.length - "a:".length);
  },
  60_000,
);

test("a request above the limit is a 413 that names the limit, and the upstream sees nothing", async () => {
  const { response, text, sent } = await rig.ask(answers(JSON.stringify(OK)), bodyOf(32 * MIB));

  expect(response.status).toBe(413);
  expect(JSON.parse(text)).toMatchObject({
    error: { code: "body_too_large", message: expect.stringContaining("max_body") },
  });
  expect(sent).toEqual([]);
}, 60_000);
