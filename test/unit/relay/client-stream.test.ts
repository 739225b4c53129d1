import { afterEach, beforeEach, expect, jest, test } from "bun:test";

import { clientStream } from "../../../src/relay/client-stream.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const bytes = (text: string) => new TextEncoder().encode(text);

type Given = IteratorResult<Uint8Array>;

/** A source that the test feeds, and a stream over it that reports what happens. */
function streamOver(keepalive_ms: number | null = null) {
  const happened: string[] = [];
  const steps = [1, 2, 3].map(() => Promise.withResolvers<Given>());
  const pulled = Promise.withResolvers<void>();
  let asked = 0;
  let given = 0;
  const source: AsyncIterator<Uint8Array> = {
    next() {
      happened.push("pulled");
      pulled.resolve();
      return steps[asked++]?.promise ?? Promise.reject(new Error("pulled too often"));
    },
  };
  const stream = clientStream({
    source,
    keepalive_ms,
    keep_alive: bytes(": keep-alive\n\n"),
    close: () => void happened.push("closed"),
    leave: () => void happened.push("left"),
    onFault: (error) => {
      happened.push(`fault ${String(error)}`);
      return bytes("last words");
    },
  });
  const reader = stream.getReader();
  return {
    happened,
    reader,
    pulled: pulled.promise,
    give: (text: string) => steps[given++]?.resolve({ done: false, value: bytes(text) }),
    end: () => steps[given++]?.resolve({ done: true, value: undefined }),
    fail: (error: unknown) => steps[given++]?.reject(error),
    read: async () => {
      const { done, value } = await reader.read();
      return done ? "end" : new TextDecoder().decode(value);
    },
  };
}

test("nothing is read from the source before the client asks for it", async () => {
  const { happened, read, give } = streamOver();
  await Promise.resolve();
  const before = [...happened];

  const first = read();
  give("one");

  expect(before).toEqual([]);
  expect(await first).toBe("one");
  expect(happened).toEqual(["pulled"]);
});

test("the end of the source is the end of the stream, and says so once", async () => {
  const { happened, read, end } = streamOver();

  const last = read();
  end();

  expect(await last).toBe("end");
  expect(happened).toEqual(["pulled", "closed"]);
});

test("silence is filled with comments, and what came meanwhile is not lost", async () => {
  const { happened, read, give, pulled } = streamOver(1000);

  const silent = read();
  await pulled;
  jest.advanceTimersByTime(1000);
  const comment = await silent;
  const next = read();
  give("late");

  expect(comment).toBe(": keep-alive\n\n");
  expect(await next).toBe("late");
  expect(happened).toEqual(["pulled"]);
});

test("each silence is filled, and one that a chunk ended leaves nothing behind", async () => {
  const { read, give, pulled } = streamOver(1000);
  const first = read();
  await pulled;
  jest.advanceTimersByTime(900);
  give("one");
  const one = await first;

  const told: string[] = [];
  const second = read();
  jest.advanceTimersByTime(900);
  const third = second.then((text) => (told.push(text), read()));
  jest.advanceTimersByTime(100);
  await second;
  jest.advanceTimersByTime(1000);

  expect(one).toBe("one");
  expect(told).toEqual([": keep-alive\n\n"]);
  expect(await third).toBe(": keep-alive\n\n");
});

test("no comment goes to a client that does not wait for one", async () => {
  const { read, give, pulled } = streamOver(1000);
  const first = read();
  await pulled;
  give("one");
  await first;
  jest.advanceTimersByTime(5000);

  const next = read();
  give("two");

  expect(await next).toBe("two");
});

test("a source that throws ends the stream with the last words, and never rejects", async () => {
  const { happened, read, fail } = streamOver(1000);

  const last = read();
  fail("boom");

  expect(await last).toBe("last words");
  expect(await read()).toBe("end");
  expect(happened).toEqual(["pulled", "fault boom", "closed"]);
});

test("a client that left gets nothing more, whatever the source still gives", async () => {
  const { happened, reader, read, give, pulled } = streamOver();
  const waiting = read();
  await pulled;

  await reader.cancel();
  give("too late");

  expect(await waiting).toBe("end");
  expect(happened).toEqual(["pulled", "left"]);
});
