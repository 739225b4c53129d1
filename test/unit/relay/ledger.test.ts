import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { createLedger } from "../../../src/relay/ledger.ts";
import type { Decision } from "../../../src/routing/decision.ts";
import type { RoutingEvent } from "../../../src/telemetry/events.ts";
import { createEventHub } from "../../../src/telemetry/hub.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const REQUEST = { request_id: "r", dialect: "chat", stream: false, asked: "a:m", key_id: null };

function aLedger() {
  const events: RoutingEvent[] = [];
  const kept: string[] = [];
  const hub = createEventHub();
  hub.register({ name: "test", record: (event) => void events.push(event) });
  let made = 0;
  const ledger = createLedger({
    clock: { now: () => Date.now(), elapsed: () => performance.now() },
    newId: () => `d${made++}`,
    events: hub,
    costOf: () => 0.25,
    keepUnfinished: ({ id }: Decision) => void kept.push(id),
  });
  return { ledger, events, kept };
}

test("a decision is found from its first moment, and ends once", () => {
  const { ledger, events } = aLedger();
  const entry = ledger.begin(REQUEST);
  const early = ledger.find("d0")?.outcome;

  entry.finish({ status: 200, outcome: "ok" });
  entry.finish({ status: 499, outcome: "cancelled" });

  expect(early).toBe("in_progress");
  expect(ledger.find("d0")).toMatchObject({ outcome: "ok", status: 200 });
  expect(events.map(({ kind }) => kind)).toEqual(["request"]);
});

test("an attempt ends once, with what it used and cost", () => {
  const { ledger, events } = aLedger();
  const entry = ledger.begin(REQUEST);
  const attempt = entry.startAttempt({ target: "a:m", instance: "a", retry: false });

  attempt.end({ kind: "ok", status: 200, usage: { input_tokens: 1, output_tokens: 2 } });
  attempt.end({ kind: "cancelled", status: null });
  entry.finish({ status: 200, outcome: "ok" });

  expect(events.map(({ kind }) => kind)).toEqual(["attempt", "request"]);
  expect(ledger.find("d0")?.attempts).toMatchObject([
    { n: 1, kind: "ok", usage: { input_tokens: 1, output_tokens: 2 }, cost_usd: 0.25 },
  ]);
});

test("only the newest finished decisions stay in memory, whatever is still open", () => {
  const { ledger } = aLedger();
  const longest = ledger.begin(REQUEST);

  for (let request = 0; request < 2000; request++) {
    ledger.begin(REQUEST).finish({ status: 200, outcome: "ok" });
  }

  const found = (id: number) => ledger.find(`d${id}`) !== undefined;
  expect([found(0), found(1000), found(1001), found(2000)]).toEqual([true, false, true, true]);
  longest.finish({ status: 200, outcome: "ok" });
});

test("a request that takes its time is kept once, unfinished, so that a crash does not lose it", () => {
  const { ledger, kept } = aLedger();
  ledger.begin(REQUEST);
  ledger.begin(REQUEST).finish({ status: 200, outcome: "ok" });

  jest.advanceTimersByTime(2000);
  const afterTwo = [...kept];
  ledger.stop();
  ledger.begin(REQUEST);
  jest.advanceTimersByTime(2000);

  expect(afterTwo).toEqual(["d0"]);
  expect(kept).toEqual(["d0"]);
});
