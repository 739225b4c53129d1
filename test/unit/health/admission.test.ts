import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { admit } from "../../../src/health/admission.ts";
import type { Obstacle, Yields } from "../../../src/health/eligibility.ts";

const obstacle = (yields: Yields, until_at: number | null = null, is_tried = false): Obstacle => ({
  reason: { layer: 6, code: "cooldown", detail: null, until_at },
  yields,
  is_tried,
});

const slow = obstacle("one_at_a_time", 900);
const soon = obstacle("one_at_a_time", 100);
const taken = obstacle("one_at_a_time", 100, true);
const doubt = obstacle("always", 500);
const never = obstacle("never", 50);
const pinned = obstacle("pinned", 50);

const serves = (index: number, one_at_a_time: boolean) => ({
  kind: "degraded" as const,
  index,
  one_at_a_time,
});

describe("what a request may do when", () => {
  test.each([
    { when: "a candidate is eligible", candidates: [[never], []], may: { kind: "planned" } },
    { when: "the plan is empty", candidates: [], may: { kind: "none" } },
    {
      when: "nothing but vendors, keys, people or the canary is in the way",
      candidates: [[never], [pinned]],
      may: { kind: "none" },
    },
    {
      when: "a firm obstacle stands beside one that yields",
      candidates: [[soon, never]],
      may: { kind: "none" },
    },
    {
      when: "all cool down by our own choice",
      candidates: [[slow], [soon]],
      may: serves(1, true),
    },
    {
      when: "the soonest is being tried already",
      candidates: [[slow], [taken]],
      may: { kind: "none" },
    },
    {
      when: "a candidate has two benches, the later of which counts",
      candidates: [[soon, obstacle("one_at_a_time", 950)], [slow]],
      may: serves(1, true),
    },
    {
      when: "answers of a candidate look doubtful",
      candidates: [[soon], [doubt]],
      may: serves(1, false),
    },
    {
      when: "a doubtful candidate cools down too",
      candidates: [[doubt, soon]],
      may: serves(0, true),
    },
    {
      when: "a vendor's wait is shorter than ours",
      candidates: [[never], [slow]],
      may: serves(1, true),
    },
  ])("$when", ({ candidates, may }) => {
    expect(admit(candidates)).toEqual(may);
  });
});

test("nobody is let through to what a vendor, a key, a person or the canary keeps shut", () => {
  const any = fc.record({
    yields: fc.constantFrom<Yields>("never", "pinned", "one_at_a_time", "always"),
    until_at: fc.option(fc.nat(1000)),
    is_tried: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.array(any, { maxLength: 3 }), { maxLength: 6 }), (drawn) => {
      const candidates = drawn.map((obstacles) =>
        obstacles.map(({ yields, until_at, is_tried }) => obstacle(yields, until_at, is_tried)),
      );

      const admission = admit(candidates);

      if (admission.kind !== "degraded") return;
      const chosen = candidates[admission.index] ?? [];
      expect(chosen.length).toBeGreaterThan(0);
      expect(chosen.filter(({ yields }) => yields === "never" || yields === "pinned")).toEqual([]);
      expect(admission.one_at_a_time && chosen.some(({ is_tried }) => is_tried)).toBe(false);
      expect(candidates.some((obstacles) => obstacles.length === 0)).toBe(false);
    }),
  );
});
