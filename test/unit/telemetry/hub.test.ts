import { expect, test } from "bun:test";

import type { RoutingEvent, Sink } from "../../../src/telemetry/events.ts";
import { createEventHub } from "../../../src/telemetry/hub.ts";
import { attemptEvent, requestEvent } from "../../support/events.ts";

const sinkNamed = (name: string, seen: string[]): Sink => ({
  name,
  record: (event) => void seen.push(`${name}:${event.kind}`),
});

const broken: Sink = {
  name: "broken",
  record() {
    throw new Error("no");
  },
};

test("every sink gets every event, in the order of registration", () => {
  const hub = createEventHub();
  const seen: string[] = [];
  hub.register(sinkNamed("a", seen));
  hub.register(sinkNamed("b", seen));

  hub.emit(attemptEvent());
  hub.emit(requestEvent());

  expect(seen).toEqual(["a:attempt", "b:attempt", "a:request", "b:request"]);
});

test("a sink gets the very event that was emitted", () => {
  const hub = createEventHub();
  const seen: RoutingEvent[] = [];
  hub.register({ name: "a", record: (event) => void seen.push(event) });
  const event = requestEvent();

  hub.emit(event);

  expect(seen[0]).toBe(event);
});

test("a sink that throws is counted and reaches neither its neighbours nor the caller", () => {
  const hub = createEventHub();
  const seen: string[] = [];
  hub.register(sinkNamed("a", seen));
  hub.register(broken);
  hub.register(sinkNamed("b", seen));

  hub.emit(attemptEvent());
  hub.emit(requestEvent());

  expect(seen).toEqual(["a:attempt", "b:attempt", "a:request", "b:request"]);
  expect(hub.failures()).toEqual({ broken: 2 });
});

test("a sink that removes itself while recording costs its neighbours nothing", () => {
  const hub = createEventHub();
  const seen: string[] = [];
  const remove = hub.register({
    name: "once",
    record: () => {
      seen.push("once");
      remove();
    },
  });
  hub.register(sinkNamed("a", seen));

  hub.emit(attemptEvent());
  hub.emit(requestEvent());

  expect(seen).toEqual(["once", "a:attempt", "a:request"]);
});

test("a sink registered while recording begins with the next event", () => {
  const hub = createEventHub();
  const seen: string[] = [];
  const remove = hub.register({
    name: "first",
    record: () => {
      remove();
      hub.register(sinkNamed("late", seen));
    },
  });

  hub.emit(attemptEvent());
  expect(seen).toEqual([]);
  hub.emit(requestEvent());

  expect(seen).toEqual(["late:request"]);
});

test("removing twice removes one registration, also of a sink that is registered twice", () => {
  const hub = createEventHub();
  const seen: string[] = [];
  const sink = sinkNamed("a", seen);
  const remove = hub.register(sink);
  hub.register(sink);

  remove();
  remove();
  hub.emit(requestEvent());

  expect(seen).toEqual(["a:request"]);
});

test("without sinks an event goes nowhere and nothing fails", () => {
  const hub = createEventHub();

  hub.emit(requestEvent());

  expect(hub.failures()).toEqual({});
});
