import { expect, test } from "bun:test";

import * as fc from "fast-check";
import { Histogram, Registry } from "prom-client";

import { createCells, createDurations } from "../../../src/telemetry/counts.ts";

const samplesOf = async (registry: Registry) =>
  (await registry.metrics()).split("\n").filter((line) => /^[a-z]/.test(line));

test("durations are written as prom-client writes a histogram of the same observations", async () => {
  const naming = { name: "some_seconds", help: "How long it took." };
  const buckets = [0.05, 0.1, 1, 60];
  const labels = fc.constantFrom("a", "b", 'quote " slash \\ line \n');
  const seconds = fc.oneof(
    fc.constantFrom(0, ...buckets),
    fc.double({ min: 0, max: 100, noNaN: true }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(labels, seconds)), async (observations) => {
      const registry = new Registry();
      const theirs = new Histogram({
        ...naming,
        buckets,
        labelNames: ["instance"],
        registers: [registry],
      });
      const ours = createDurations({ ...naming, label: "instance", buckets });

      for (const [instance, value] of observations) {
        theirs.observe({ instance }, value);
        ours.observe(instance, value);
      }

      expect(`${ours.text()}\n`).toBe(await registry.metrics());
    }),
  );
});

test("a sample is its cell's value whenever somebody looks, also one that counted nothing yet", async () => {
  const registry = new Registry();
  const cells = createCells(registry, { name: "some_total", help: "Some.", labels: ["a", "b"] });
  const cell = cells("x", "y");
  cells("x", "z");

  cell.value += 2;
  cells("x", "y").value += 1;

  const wanted = ['some_total{a="x",b="y"} 3', 'some_total{a="x",b="z"} 0'];
  expect(await samplesOf(registry)).toEqual(wanted);
  expect(await samplesOf(registry)).toEqual(wanted);
});

test("values that differ in one of three labels are counted apart", async () => {
  const registry = new Registry();
  const cells = createCells(registry, { name: "n_total", help: "N.", labels: ["a", "b", "c"] });

  for (const third of ["z", "w", "z"]) cells("x", "y", third).value += 1;

  expect(await samplesOf(registry)).toEqual([
    'n_total{a="x",b="y",c="z"} 2',
    'n_total{a="x",b="y",c="w"} 1',
  ]);
});
