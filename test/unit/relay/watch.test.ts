import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { Watch } from "../../../src/relay/watch.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("a limit that runs out stops the work and says which it was", () => {
  const watch = new Watch();
  watch.arm("idle_timeout", 100);

  jest.advanceTimersByTime(99);
  const before = watch.stopped();
  jest.advanceTimersByTime(1);

  expect(before).toBeNull();
  expect(watch.stopped()).toEqual({ kind: "timeout", limit: "idle_timeout", after_ms: 100 });
  expect(watch.signal.aborted).toBe(true);
});

test("arming again starts anew, disarming forgets, and one limit leaves the others alone", () => {
  const watch = new Watch();
  watch.arm("idle_timeout", 100);
  watch.arm("deadline", 1000);
  jest.advanceTimersByTime(90);
  watch.arm("idle_timeout", 100);
  jest.advanceTimersByTime(90);
  watch.disarm("idle_timeout");
  jest.advanceTimersByTime(800);

  expect(watch.stopped()).toBeNull();
  jest.advanceTimersByTime(20);
  expect(watch.stopped()).toMatchObject({ limit: "deadline" });
});

test("a limit that ran out while it was disarmed counts from when it is armed again", () => {
  const watch = new Watch();
  watch.arm("idle_timeout", 100);
  watch.disarm("idle_timeout");
  jest.advanceTimersByTime(250);

  watch.arm("idle_timeout", 100);
  jest.advanceTimersByTime(99);
  const before = watch.stopped();
  jest.advanceTimersByTime(1);

  expect(before).toBeNull();
  expect(watch.stopped()).toMatchObject({ limit: "idle_timeout" });
});

test("a limit is that which it was armed with last", () => {
  const watch = new Watch();
  watch.arm("deadline", 100);
  watch.arm("deadline", 300);

  jest.advanceTimersByTime(299);
  const before = watch.stopped();
  jest.advanceTimersByTime(1);

  expect(before).toBeNull();
  expect(watch.stopped()).toMatchObject({ limit: "deadline", after_ms: 300 });
});

test.each([Number.POSITIVE_INFINITY, 2 ** 31])("a limit of %d ms is none", (ms) => {
  const watch = new Watch();

  watch.arm("max_stream", ms);
  jest.advanceTimersByTime(2 ** 31);

  expect(watch.stopped()).toBeNull();
});

test("the first reason to stop is the one that counts", () => {
  const watch = new Watch();
  watch.arm("deadline", 10);

  watch.abort({ kind: "cancelled" });
  watch.abort({ kind: "router_shutdown" });
  jest.advanceTimersByTime(10);

  expect(watch.stopped()).toEqual({ kind: "cancelled" });
});

test("a watch stops with its parent, for the parent's reason, and never the other way round", () => {
  const parent = new Watch();
  const child = new Watch(parent);
  const sibling = new Watch(parent);

  child.abort({ kind: "timeout", limit: "idle_timeout", after_ms: 1 });
  const afterChild = parent.stopped();
  parent.abort({ kind: "router_shutdown" });
  const late = new Watch(parent);

  expect(afterChild).toBeNull();
  expect(child.stopped()).toMatchObject({ kind: "timeout" });
  expect([sibling.stopped(), late.stopped()]).toEqual([
    { kind: "router_shutdown" },
    { kind: "router_shutdown" },
  ]);
});

test("a watch that has ended neither rings nor follows", () => {
  const parent = new Watch();
  const child = new Watch(parent);
  child.arm("deadline", 10);

  child.end();
  parent.abort({ kind: "cancelled" });
  jest.advanceTimersByTime(100);

  expect(child.stopped()).toBeNull();
});

test("a listener hears of the stop once, unless it was taken back or came too late", () => {
  const watch = new Watch();
  const heard: string[] = [];
  watch.onStop(() => heard.push("kept"));
  const takenBack = () => heard.push("taken back");
  watch.onStop(takenBack);
  watch.offStop(takenBack);

  watch.abort({ kind: "cancelled" });
  watch.abort({ kind: "router_shutdown" });
  watch.onStop(() => heard.push("late"));

  expect(heard).toEqual(["kept"]);
});

test("a signal that is first asked for after the stop is aborted", () => {
  const watch = new Watch();
  watch.abort({ kind: "cancelled" });

  expect(watch.signal.aborted).toBe(true);
});
