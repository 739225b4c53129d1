import { describe, expect, test } from "bun:test";

import type { DatedNotice, PostResult } from "../../../src/control/notification-post.ts";
import { createNotificationQueue } from "../../../src/control/notification-queue.ts";
import { until } from "../../support/until.ts";

const notice = (at: number): DatedNotice => ({ at, notice: { kind: "test" } });

const DONE: PostResult = { ok: true, status: 200 };
const LATER: PostResult = { ok: false, problem: "answered HTTP 503", is_worth_retrying: true };
const NEVER: PostResult = { ok: false, problem: "answered HTTP 403", is_worth_retrying: false };

function queueOf(results: readonly PostResult[], retries = 3) {
  const posted: number[] = [];
  const pauses: number[] = [];
  const givenUp: number[] = [];
  const queue = createNotificationQueue({
    retries,
    post: async ({ at }) => results[posted.push(at) - 1] ?? DONE,
    pause: async (ms) => void pauses.push(ms),
    isStopping: () => false,
    onGivenUp: ({ at }) => void givenUp.push(at),
  });
  const idle = () => until(() => queue.figures().queued === 0);
  return { queue, posted, pauses, givenUp, idle };
}

describe("a notice", () => {
  test.each<{
    name: string;
    results: readonly PostResult[];
    tries: number;
    pauses: readonly number[];
    delivered: number;
  }>([
    { name: "arrives", results: [DONE], tries: 1, pauses: [], delivered: 1 },
    {
      name: "arrives in the end",
      results: [LATER, LATER, DONE],
      tries: 3,
      pauses: [1000, 5000],
      delivered: 1,
    },
    {
      name: "is given up after its retries",
      results: [LATER, LATER, LATER, LATER],
      tries: 4,
      pauses: [1000, 5000, 25_000],
      delivered: 0,
    },
    { name: "is not tried again in vain", results: [NEVER], tries: 1, pauses: [], delivered: 0 },
  ])("$name", async ({ results, tries, pauses, delivered }) => {
    const played = queueOf(results);

    played.queue.add(notice(1));
    await played.idle();

    expect([played.posted.length, played.pauses]).toEqual([tries, [...pauses]]);
    expect(played.queue.figures()).toMatchObject({ delivered, failed: 1 - delivered });
    expect(played.givenUp).toEqual(delivered === 1 ? [] : [1]);
  });
});

test("notices arrive one after another, in their order, and one that fails holds up none", async () => {
  const { queue, posted, idle } = queueOf([DONE, NEVER, DONE]);

  for (const at of [1, 2, 3]) queue.add(notice(at));
  await idle();

  expect(posted).toEqual([1, 2, 3]);
  expect(queue.figures()).toEqual({
    delivered: 2,
    failed: 1,
    dropped: 0,
    queued: 0,
    problem: null,
  });
});

test("while a receiver is down the oldest notices go, and are counted", async () => {
  const gate = Promise.withResolvers<PostResult>();
  const posted: number[] = [];
  const queue = createNotificationQueue({
    retries: 0,
    post: ({ at }) => {
      posted.push(at);
      return gate.promise;
    },
    pause: async () => undefined,
    isStopping: () => false,
    onGivenUp: () => undefined,
  });

  for (let at = 0; at < 150; at++) queue.add(notice(at));
  const during = queue.figures();
  gate.resolve(DONE);
  await until(() => queue.figures().queued === 0);

  expect(during).toMatchObject({ queued: 101, dropped: 49 });
  expect(posted).toEqual([0, ...Array.from({ length: 100 }, (_, n) => n + 50)]);
});
