import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { createFifo } from "../../../src/store/client/fifo.ts";
import { createWriteQueue } from "../../../src/store/client/write-queue.ts";

const ROOMY = { rows: 100, characters: 1000 };
const entry = (subject: string) => ({
  at: 1,
  actor: "cli",
  action: "key.create",
  subject,
  detail: null,
});

test("a fifo gives out what an array would, through any mix of pushes and shifts", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 2000 }), (steps) => {
      const fifo = createFifo<number>();
      const array: number[] = [];
      for (const [index, step] of steps.entries()) {
        for (let n = 0; n < Math.abs(step); n++) {
          if (step > 0) {
            fifo.push(index);
            array.push(index);
          } else expect(fifo.shift()).toBe(array.shift());
        }
        expect(fifo.size()).toBe(array.length);
      }
    }),
    { numRuns: 20 },
  );
});

test("a fifo keeps its order over its cuts", () => {
  const fifo = createFifo<number>();
  const seen: (number | undefined)[] = [];
  for (let n = 0; n < 5000; n++) {
    fifo.push(n);
    if (n % 3 > 0) seen.push(fifo.shift());
  }
  while (fifo.size() > 0) seen.push(fifo.shift());

  expect(seen).toEqual(Array.from({ length: 5000 }, (_, n) => n));
});

test("a batch holds the oldest rows, each kind in its order", () => {
  const queue = createWriteQueue(ROOMY);
  queue.addDecision("a", "A");
  queue.addAudit(entry("one"));
  queue.addDecision("b", "B");
  queue.addDecision("c", "C");

  expect(queue.take(3)).toEqual({
    decisions: ["A", "B"],
    audit: [entry("one")],
    verifications: [],
  });
  expect(queue.take(3)).toEqual({ decisions: ["C"], audit: [], verifications: [] });
  expect([queue.size(), queue.entered(), queue.left()]).toEqual([0, 4, 4]);
});

test("a decision that still waits is replaced, one that has left is added", () => {
  const queue = createWriteQueue(ROOMY);
  queue.addDecision("a", "begun");
  queue.addDecision("a", "ended");

  expect(queue.take(9).decisions).toEqual(["ended"]);
  queue.addDecision("a", "again");
  expect(queue.take(9).decisions).toEqual(["again"]);
});

const failing = () => {
  throw new Error("no");
};

test("JSON given as a function is made when its row leaves, and once", () => {
  const queue = createWriteQueue(ROOMY);
  const made: string[] = [];
  const json = (text: string) => () => {
    made.push(text);
    return text;
  };
  queue.addDecision("a", json("A"));
  queue.addDecision("b", json("begun"));
  queue.addDecision("b", json("ended"));
  queue.addDecision("c", json("C"));
  queue.addDecision("c", "at once");

  expect(made).toEqual([]);
  expect(queue.take(2).decisions).toEqual(["A", "ended"]);
  expect(queue.take(2).decisions).toEqual(["at once"]);
  expect(made).toEqual(["A", "ended"]);
});

test("JSON that cannot be made later is counted and takes nothing along", () => {
  const queue = createWriteQueue(ROOMY);
  queue.addDecision("a", failing);
  queue.addDecision("b", () => "B");

  expect(queue.take(9).decisions).toEqual(["B"]);
  expect([queue.dropped(), queue.size(), queue.left()]).toEqual([1, 0, 2]);
});

test("at most 256 decisions wait as more than their JSON, and that counts as characters", () => {
  const queue = createWriteQueue({ rows: 1000, characters: 100 });
  let made = 0;
  for (let n = 0; n < 300; n++) {
    queue.addDecision(String(n), () => {
      made += 1;
      return "x";
    });
  }

  expect([made, queue.dropped(), queue.size()]).toEqual([256, 156, 144]);
  expect(queue.take(1000).decisions).toHaveLength(100);
  expect(queue.dropped()).toBe(200);
});

test.each([
  { bound: "rows", limits: { rows: 2, characters: 1000 }, kept: ["CC", "DD"], dropped: 2 },
  {
    bound: "characters",
    limits: { rows: 100, characters: 7 },
    kept: ["BB", "CC", "DD"],
    dropped: 1,
  },
  { bound: "one row always", limits: { rows: 100, characters: 1 }, kept: ["DD"], dropped: 3 },
])("beyond its limit of $bound the oldest rows are dropped and counted", (row) => {
  const queue = createWriteQueue(row.limits);
  for (const id of ["A", "B", "C", "D"]) queue.addDecision(id, id + id);

  expect(queue.dropped()).toBe(row.dropped);
  expect(queue.left()).toBe(row.dropped);
  expect(queue.take(9).decisions).toEqual(row.kept);
});

test("a million rows that nobody takes away leave no more than the limit", () => {
  const queue = createWriteQueue({ rows: 10_000, characters: 1e9 });
  for (let n = 0; n < 1_000_000; n++) queue.addDecision(String(n), "{}");

  expect([queue.size(), queue.dropped()]).toEqual([10_000, 990_000]);
  expect(queue.take(1).decisions).toHaveLength(1);
});
