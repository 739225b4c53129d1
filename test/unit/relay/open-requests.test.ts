import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { createOpenRequests } from "../../../src/relay/open-requests.ts";
import { Watch } from "../../../src/relay/watch.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("idle comes with the end of the last request", async () => {
  const open = createOpenRequests();
  const first = open.add(new Watch());
  const second = open.add(new Watch());
  let isIdle = false;
  const idle = open.idle(1000).then(() => (isIdle = true));

  first();
  first();
  await Promise.resolve();
  const between = { isIdle, size: open.size() };
  second();
  await idle;

  expect(between).toEqual({ isIdle: false, size: 1 });
  expect(open.size()).toBe(0);
});

test("idle is not waited for beyond its limit", async () => {
  const open = createOpenRequests();
  open.add(new Watch());

  const idle = open.idle(1000);
  jest.advanceTimersByTime(1000);
  await idle;

  expect(open.size()).toBe(1);
});

test("every open request is stopped for the same reason", () => {
  const open = createOpenRequests();
  const [a, b, over] = [new Watch(), new Watch(), new Watch()];
  open.add(a);
  open.add(b);
  open.add(over)();

  open.stopAll({ kind: "router_shutdown" });

  expect([a.stopped(), b.stopped(), over.stopped()]).toEqual([
    { kind: "router_shutdown" },
    { kind: "router_shutdown" },
    null,
  ]);
});
