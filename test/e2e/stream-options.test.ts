import { expect, test } from "bun:test";

import { type Behaviour, fine, refusing, startFleet } from "../support/behaving-fleet.ts";

/** Refuses every body with `stream_options`, whoever put it there. */
const particular =
  (refusal: object): Behaviour =>
  (wire, stream, body = "") =>
    body.includes("stream_options") ? wire.json(refusal, 400) : fine(wire, stream);

/** How vendors put it. */
const REFUSALS = [
  { error: { message: "Unrecognized request argument supplied: stream_options" } },
  { error: { message: "Unknown parameter", param: "stream_options", code: "unknown_parameter" } },
  { error: { message: "property stream_options is unsupported" } },
  { detail: [{ type: "extra_forbidden", loc: ["body", "stream_options"], msg: "not permitted" }] },
];

test.each(REFUSALS)(
  "an upstream that refuses what we add is asked again without it, and remembered: %j",
  async (refusal) => {
    await using fleet = await startFleet({ a: particular(refusal) });

    const first = await fleet.ask({ stream: true });
    const second = await fleet.ask({ stream: true });

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.attempts).toEqual([expect.stringMatching(/^a:m (bad_request|unsup)/), "a:m ok"]);
    expect(second.attempts).toEqual(["a:m ok"]);
    expect(fleet.calls("a")).toBe(3);
    expect(await fleet.reasons("a:m")).toEqual([]);
  },
);

test("of several streams at once each is asked for again", async () => {
  const [refusal = {}] = REFUSALS;
  await using fleet = await startFleet({ a: particular(refusal) });

  const told = await Promise.all([1, 2, 3, 4].map(() => fleet.ask({ stream: true })));

  expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test.each([
  {
    what: "what the client sent itself is its own to answer for",
    more: { stream_options: { include_usage: true } },
    message: "unknown field stream_options",
  },
  { what: "another field is none of ours", more: {}, message: "unknown field `nonsense`" },
])("$what: 400 after one call", async ({ more, message }) => {
  await using fleet = await startFleet({ a: refusing(400, { message }) });

  expect(await fleet.ask({ stream: true, more })).toMatchObject({ status: 400 });
  expect(fleet.calls("a")).toBe(1);
});
