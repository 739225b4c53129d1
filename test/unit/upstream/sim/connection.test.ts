import { expect, test } from "bun:test";

import { isSimulatorUrl } from "../../../../src/upstream/sim/simulator.ts";
import { type Sleep, systemSleep } from "../../../../src/upstream/sim/wire/body.ts";
import { received, simulation } from "./simulation.ts";

/** Waits end only when the caller hangs up. */
const never: Sleep = (_, signal) =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** Everything that is ready has run. */
const eventLoopTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const reason = new Error("the client left");
const counts = { open: 0, completed: 0, aborted: 0 };

test.each([
  { name: "delay", body: { model: "echo", delay: "1h" }, sleep: never },
  { name: "stall before the headers", body: { model: "stall" }, sleep: undefined },
  { name: "a slow answer that is not streamed", body: { model: "slow" }, sleep: never },
])("hanging up during $name rejects the call and frees the upstream", async ({ body, sleep }) => {
  const { simulator, chat } = simulation(sleep);
  const hangUp = new AbortController();
  const call = chat(body, { signal: hangUp.signal });
  await Promise.resolve();
  expect(simulator.counts()).toEqual({ ...counts, open: 1 });

  hangUp.abort(reason);

  expect(await call.catch((error: unknown) => error)).toBe(reason);
  expect(simulator.counts()).toEqual({ ...counts, aborted: 1 });
});

test.each([
  { name: "before the first token", body: { model: "stall", form: "first_token" } },
  { name: "in the middle", body: { model: "stall", form: "middle" } },
  { name: "of an endless story", body: { model: "story", tokens: 10_000_000 } },
])("hanging up on a stream $name errors the body and frees the upstream", async ({ body }) => {
  const { simulator, chat } = simulation();
  const hangUp = new AbortController();
  const response = await chat({ ...body, stream: true }, { signal: hangUp.signal });
  const reader = response.body?.getReader();
  await reader?.read();

  const rest = reader?.read().then(() => reader?.read());
  hangUp.abort(reason);

  expect(await rest?.catch((error: unknown) => error)).toBe(reason);
  expect(simulator.counts()).toEqual({ ...counts, aborted: 1 });
});

test("cancelling the body frees the upstream, and a later abort counts nothing", async () => {
  const { simulator, chat } = simulation();
  const hangUp = new AbortController();
  const response = await chat({ model: "story", stream: true }, { signal: hangUp.signal });

  await response.body?.cancel();
  hangUp.abort();

  expect(simulator.counts()).toEqual({ ...counts, aborted: 1 });
});

test("cancelling a silent body frees the upstream", async () => {
  const { simulator, chat } = simulation();
  const response = await chat({ model: "stall", form: "first_token", stream: true });
  const reader = response.body?.getReader();
  await reader?.read();
  const silence = reader?.read();

  await reader?.cancel();

  expect(await silence).toEqual({ done: true, value: undefined });
  expect(simulator.counts()).toEqual({ ...counts, aborted: 1 });
});

test("an abort after the end counts nothing", async () => {
  const { simulator, chat } = simulation();
  const hangUp = new AbortController();
  const response = await chat({ model: "echo", stream: true }, { signal: hangUp.signal });

  await response.text();
  hangUp.abort();

  expect(simulator.counts()).toEqual({ ...counts, completed: 1 });
});

test("a call whose signal is aborted already never starts", async () => {
  const { simulator, chat } = simulation();

  const call = chat({ model: "echo" }, { signal: AbortSignal.abort(reason) });

  expect(await call.catch((error: unknown) => error)).toBe(reason);
  expect(simulator.counts()).toEqual(counts);
});

test("a client that does not read is sent nothing", async () => {
  const { chat, waits } = simulation();
  const pace = { tokens_per_second: 10, stream: true };
  const response = await chat({ model: "story", tokens: 10_000_000, ...pace });
  const reader = response.body?.getReader();

  await reader?.read();
  await eventLoopTurn();
  expect(waits).toEqual([]);

  for (let frame = 0; frame < 3; frame++) await reader?.read();
  expect(waits).toEqual([100, 100]);
  await reader?.cancel();
});

test.each([
  {
    body: { model: "echo", delay: 50, ttft: "2s", tokens_per_second: 4 },
    waits: [50, 2000, 250, 250, 250, 250],
  },
  { body: { model: "slow" }, waits: [2000, 200, 200, 200, 200] },
  { body: { model: "echo" }, waits: [] },
])("a stream of $body waits $waits", async ({ body, waits }) => {
  const run = simulation();

  await (await run.chat({ ...body, stream: true })).text();

  expect(run.waits).toEqual([...waits]);
});

test("a whole answer waits once, before its headers, for as long as its stream would take", async () => {
  const run = simulation();

  await run.chat({ model: "echo", delay: 50, ttft: "2s", tokens_per_second: 4 });

  expect(run.waits).toEqual([50 + 2000 + 1000]);
});

test("a stall in the middle of a whole answer sends half of it", async () => {
  const { chat } = simulation();
  const hangUp = new AbortController();
  const response = await chat({ model: "stall", form: "middle" }, { signal: hangUp.signal });
  const reading = received(response);
  await eventLoopTurn();

  hangUp.abort(reason);

  expect(await reading).toMatchObject({ text: expect.stringMatching(/^\{"id"/), error: reason });
});

test("the system's sleep ends at once when the signal aborts", async () => {
  const hangUp = new AbortController();
  const asleep = systemSleep(3_600_000, hangUp.signal);

  hangUp.abort();

  await asleep;
  await systemSleep(3_600_000, hangUp.signal);
  await systemSleep(0, new AbortController().signal);
});

test("a wait beyond what a timer can hold does not end at once", async () => {
  const hangUp = new AbortController();
  const long = systemSleep(1e13, hangUp.signal).then(() => "long");
  const short = systemSleep(2, hangUp.signal).then(() => "short");

  expect(await Promise.race([long, short])).toBe("short");
  hangUp.abort();
  expect(await long).toBe("long");
});

test.each([
  { url: "http://sim.invalid/v1", simulated: true },
  { url: "http://alpha.sim.invalid/v1/chat/completions", simulated: true },
  { url: "http://notsim.invalid/v1", simulated: false },
  { url: "http://sim.invalid.example/v1", simulated: false },
  { url: "nonsense", simulated: false },
])("$url is simulated: $simulated", ({ url, simulated }) => {
  expect(isSimulatorUrl(url)).toBe(simulated);
});
