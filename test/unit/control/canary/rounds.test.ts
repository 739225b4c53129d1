import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { EMPTY_FLEET } from "../../../../src/canary/ladder/state.ts";
import { inTurns } from "../../../../src/control/canary/live/in-turns.ts";
import { createRounds } from "../../../../src/control/canary/live/rounds.ts";

const HOUR = 3_600_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Rounds every half an hour that take no time, and when each began. */
function scheduled(work: () => Promise<boolean> = async () => true) {
  const began: number[] = [];
  const errors: unknown[] = [];
  let set_back = 0;
  const now = () => Date.now() - set_back;
  const rounds = createRounds({
    clock: { now, elapsed: () => performance.now() },
    random: () => 0.5,
    log: { error: (...line: unknown[]) => void errors.push(line) },
    store: { canary: { prune: async () => undefined } },
    keeper: { fleet: () => EMPTY_FLEET },
    interval_ms: () => HOUR / 2,
    work: (signal) => {
      if (!signal.aborted) began.push(now());
      return work();
    },
  });
  return { rounds, began, errors, now, setBack: (ms: number) => void (set_back += ms) };
}

/** Time goes on, and what waits for it may do so. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 30_000) {
    jest.advanceTimersByTime(30_000);
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
}

test("rounds come within a minute of the start and then every interval", async () => {
  const { rounds, began } = scheduled();
  const start = Date.now();

  rounds.plan();
  await pass(2 * HOUR);

  expect(began.map((at) => (at - start) / 60_000)).toEqual([0.5, 30.5, 60.5, 90.5]);
});

test("a clock that is set back while a round is awaited puts it off by an interval at most", async () => {
  const { rounds, began, now, setBack } = scheduled();
  rounds.plan();
  await pass(HOUR / 60);
  setBack(1000 * HOUR);
  const start = now();

  await pass(HOUR);

  expect(began.slice(1).map((at) => (at - start) / 60_000)).toEqual([30.5]);
});

test("one round at a time, whoever asks", async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { rounds, began } = scheduled(() => promise);

  const answers = [rounds.begin(), rounds.begin()];
  resolve(true);
  await pass(30_000);

  expect(answers).toEqual([
    { started: true, round_n: 1 },
    { started: false, round_n: 1 },
  ]);
  expect(began).toHaveLength(1);
});

test("a round that cannot be kept is told of and the next one comes all the same", async () => {
  const { rounds, began, errors } = scheduled(() => Promise.reject(new Error("disk full")));

  rounds.plan();
  await pass(HOUR);

  expect(began).toHaveLength(2);
  expect(errors).toHaveLength(2);
});

test("stopped, nothing begins any more", async () => {
  const { rounds, began } = scheduled();
  rounds.plan();

  await rounds.stop();
  const answer = rounds.begin();
  await pass(HOUR);

  expect(answer.started).toBe(false);
  expect(began).toEqual([]);
});

test("four endpoints at once, none twice at a time, results in order", async () => {
  const all = ["a", "a", "b", "c", "d", "e"].map((key, n) => ({ endpoint: { key }, n }));
  const running: string[] = [];
  const peaks: number[] = [];
  const waits = new Map(all.map((one) => [one.n, Promise.withResolvers<void>()]));
  const done = inTurns(all, async ({ endpoint: { key }, n }) => {
    expect(running).not.toContain(key);
    running.push(key);
    peaks.push(running.length);
    await waits.get(n)?.promise;
    running.splice(running.indexOf(key), 1);
    return n;
  });

  for (const { resolve } of [...waits.values()].toReversed()) resolve();

  expect(await done).toEqual([0, 1, 2, 3, 4, 5]);
  expect(Math.max(...peaks)).toBe(4);
});
