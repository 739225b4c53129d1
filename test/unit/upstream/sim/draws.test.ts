import { expect, test } from "bun:test";

import { answerOf, events, jsonOf, simulation } from "./simulation.ts";

/** Which of `count` calls failed, as their numbers from 1. */
async function failing(
  count: number,
  body: Record<string, unknown>,
  { chat } = simulation(),
  instance = "alpha",
) {
  const failed: number[] = [];
  for (let call = 1; call <= count; call++) {
    const response = await chat({ model: "status", ...body }, { instance });
    if (response.status !== 200) failed.push(call);
    await response.text();
  }
  return failed;
}

test.each([
  { rate: 0, seed: 0, count: 0 },
  { rate: 1, seed: 0, count: 1000 },
  { rate: 0.35, seed: 0, count: 340 },
  { rate: 0.35, seed: 7, count: 370 },
  { rate: 0.5, seed: -1, count: 471 },
])("of 1000 calls at rate $rate and seed $seed exactly $count fail", async ({ count, ...body }) => {
  expect(await failing(1000, body)).toHaveLength(count);
});

test("the same seed fails the same calls again, another seed others", async () => {
  const first = await failing(40, { rate: 0.4, seed: 3 });

  expect(await failing(40, { rate: 0.4, seed: 3 })).toEqual(first);
  expect(await failing(40, { rate: 0.4, seed: 4 })).not.toEqual(first);
});

test("instances draw from sequences of their own", async () => {
  const shared = simulation();
  const alone = await failing(20, { rate: 0.5 });

  await failing(9, { rate: 0.5 }, shared, "beta");

  expect(await failing(20, { rate: 0.5 }, shared, "alpha")).toEqual(alone);
});

test.each([
  { skip: 2, times: 0, failed: [3, 4, 5, 6] },
  { skip: 0, times: 2, failed: [1, 2] },
  { skip: 1, times: 3, failed: [2, 3, 4] },
])("with skip $skip and times $times the calls $failed fail", async ({ failed, ...body }) => {
  expect(await failing(6, body)).toEqual([...failed]);
});

test("a rate below one thins the calls that skip and times leave", async () => {
  const window = await failing(50, { rate: 0.5, skip: 10, times: 20 });

  expect(window).toEqual((await failing(50, { rate: 0.5 })).filter((n) => n > 10 && n <= 30));
});

test("a call that does not fail is answered like echo", async () => {
  const { chat } = simulation();

  const response = await chat({ model: "status", rate: 0 });

  expect(await jsonOf(response)).toMatchObject({
    model: "status",
    choices: [{ message: { content: "one two three four" }, finish_reason: "stop" }],
  });
});

test("what is remembered per seed is bounded, and the oldest goes first", async () => {
  const shared = simulation();
  const once = { skip: 1, times: 1 };
  await failing(1, { ...once, seed: -1 }, shared);
  for (let seed = 0; seed < 1023; seed++) await failing(1, { ...once, seed }, shared);

  expect(await failing(1, { ...once, seed: -1 }, shared)).toEqual([1]);
  await failing(1, { ...once, seed: 2000 }, shared);
  expect(await failing(1, { ...once, seed: -1 }, shared)).toEqual([]);
});

test("a fault set on an instance makes its sound model fail until it is lifted", async () => {
  const { simulator, chat } = simulation();
  const statuses = async () => {
    const both = await Promise.all(
      ["alpha", "beta"].map((instance) => chat({ model: "echo" }, { instance })),
    );
    return both.map(({ status }) => status);
  };

  simulator.setFault("Alpha", "echo", { model: "status", params: { code: 503 } });
  expect(await statuses()).toEqual([503, 200]);

  simulator.setFault("alpha", "echo", null);
  expect(await statuses()).toEqual([200, 200]);
});

test("between the failures of a fault the model answers as itself", async () => {
  const { simulator, chat } = simulation();
  simulator.setFault("sim", "story", { model: "empty", params: { skip: 1 } });

  const answers = [
    await answerOf(chat({ model: "story", tokens: 3 })),
    await answerOf(chat({ model: "story", tokens: 3 })),
  ];

  expect(answers).toMatchObject([
    { choices: [{ message: { content: "At dawn, the" } }] },
    { choices: [{ message: { content: "" } }] },
  ]);
});

test("a fault set again starts its sequence anew", async () => {
  const { simulator, chat } = simulation();
  const fault = { model: "status", params: { times: 1 } } as const;
  const status = async () => (await chat({ model: "echo" })).status;

  simulator.setFault("sim", "echo", fault);
  expect([await status(), await status()]).toEqual([500, 200]);
  simulator.setFault("sim", "echo", fault);
  expect([await status(), await status()]).toEqual([500, 200]);
});

test("a fault of an endpoint its model does not serve leaves that endpoint alone", async () => {
  const { simulator, post } = simulation();
  simulator.setFault("sim", "slow", { model: "mojibake" });

  const response = await post({ model: "slow", input: "a" }, { path: "embeddings" });

  expect(response.status).toBe(200);
});

test.each([
  { params: { rte: 1 }, message: "`rte` is no parameter of `status`" },
  { params: { rate: 2 }, message: "Invalid value for `rate`: 2. It takes a number from 0 to 1." },
])("a fault with the params $params is refused when it is set", ({ params, message }) => {
  const { simulator } = simulation();

  expect(() => simulator.setFault("sim", "echo", { model: "status", params })).toThrow(message);
});

test("a faulty stream says nothing of its fault in the good calls", async () => {
  const { chat } = simulation();

  const stream = await events(await chat({ model: "cut", rate: 0, stream: true }));

  expect(stream.at(-1)).toBe("[DONE]");
});
