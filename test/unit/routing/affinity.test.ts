import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  judgePin,
  type Pin,
  pinAfter,
  pinnedFirst,
  type PinVerdict,
} from "../../../src/routing/affinity.ts";
import type { PlanEffects, Reason } from "../../../src/routing/plan.ts";
import { anInstance, aWorld, outline, routeFor } from "./a-world.ts";

const NOW = 1_000_000;

const reason = (layer: number, code: string, until_at: number | null = null): Reason => ({
  layer,
  code,
  detail: null,
  until_at,
});

const INSTANCES = ["a", "b", "c"].map((name) => anInstance(name, { type: "openai" }));

/** A pool whose member b has these reasons against it, with a session pinned there. */
function planWith({
  against = [],
  missed = 0,
  pinned = "b:m",
  members = ["a:m", "b:m", "c:m"],
  affinity = "session",
  session = "s",
}: {
  against?: Reason[];
  missed?: number;
  pinned?: string | null;
  members?: string[];
  affinity?: "session" | "none";
  session?: string | null;
}) {
  const world = aWorld({
    now: NOW,
    instances: INSTANCES,
    pools: { main: { members, affinity, strategy: "round_robin" } },
    eligibility: ({ instance }) => (instance === "b" ? against : []),
    pin: (pool, of) =>
      pool === "main" && of === "s" && pinned !== null ? { candidate: pinned, missed } : null,
  });
  return routeFor("pool:main", world, { session });
}

const verdictOf = (plan: ReturnType<typeof planWith>) => plan.effects.session?.pin.kind ?? null;

test("a pinned candidate that is eligible comes first, and the pool's turn is not taken", () => {
  const plan = planWith({});

  expect(outline(plan)).toEqual(["b:m", "a:m", "c:m"]);
  expect(plan.effects).toEqual({
    takes_turn: false,
    session: { id: "s", pin: { kind: "held", pin: { candidate: "b:m", missed: 0 } } },
  });
  expect(plan.notes).toEqual(["the session stays with `b:m`"]);
});

test.each<{ what: string; given: Parameters<typeof planWith>[0]; effects: PlanEffects }>([
  { what: "no session", given: { session: null }, effects: { takes_turn: true, session: null } },
  {
    what: "a pool that keeps no sessions",
    given: { affinity: "none" },
    effects: { takes_turn: true, session: null },
  },
  {
    what: "a session that is not held yet",
    given: { pinned: null },
    effects: { takes_turn: true, session: { id: "s", pin: { kind: "none" } } },
  },
])("with $what the strategy chooses", ({ given, effects }) => {
  const plan = planWith(given);

  expect(outline(plan)).toEqual(["a:m", "b:m", "c:m"]);
  expect(plan.effects).toEqual(effects);
});

describe("a pin whose candidate is out", () => {
  test.each<{ what: string; given: Parameters<typeof planWith>[0]; verdict: PinVerdict["kind"] }>([
    {
      what: "for a cooldown of a minute",
      given: { against: [reason(6, "cooldown", NOW + 60_000)] },
      verdict: "away",
    },
    {
      what: "for a longer cooldown",
      given: { against: [reason(6, "cooldown", NOW + 60_001)] },
      verdict: "lost",
    },
    {
      what: "for a cooldown without an end",
      given: { against: [reason(6, "cooldown")] },
      verdict: "lost",
    },
    {
      what: "by its credential",
      given: { against: [reason(4, "unusable_auth")] },
      verdict: "lost",
    },
    {
      what: "by an open breaker",
      given: { against: [reason(5, "breaker_open", NOW + 1)] },
      verdict: "lost",
    },
    {
      what: "by the canary",
      given: { against: [reason(3, "canary_suspended", NOW + 1)] },
      verdict: "lost",
    },
    {
      what: "by an operator, cooling down besides",
      given: { against: [reason(2, "operator_exclusion"), reason(6, "cooldown", NOW + 1)] },
      verdict: "lost",
    },
    {
      what: "for what this one request demands",
      given: { against: [reason(0, "capability:vision")] },
      verdict: "away",
    },
    {
      what: "for a tier that is back",
      given: { members: ["a:m", "b:m?order=1"] },
      verdict: "away",
    },
    {
      what: "because it left the pool",
      given: { pinned: "gone:m" },
      verdict: "lost",
    },
    {
      what: "for the second turn in a row",
      given: { against: [reason(6, "cooldown", NOW + 9)], missed: 1 },
      verdict: "away",
    },
    {
      what: "for the third turn in a row",
      given: { against: [reason(6, "cooldown", NOW + 9)], missed: 2 },
      verdict: "lost",
    },
  ])("$what is $verdict", ({ given, verdict }) => {
    const plan = planWith(given);

    expect(verdictOf(plan)).toBe(verdict);
    expect(outline(plan)[0]).toBe("a:m");
    expect(plan.effects.takes_turn).toBe(true);
  });

  test("says where the session goes and why", () => {
    const notes = [
      planWith({ against: [reason(6, "cooldown", NOW + 9)] }),
      planWith({ against: [reason(4, "unusable_auth")] }),
      planWith({ against: [reason(6, "cooldown", NOW + 9)], missed: 2 }),
    ].flatMap((plan) => plan.notes);

    expect(notes).toEqual([
      "the session goes elsewhere and stays pinned to `b:m`, turn 1 without it: cooldown",
      "the session moves away from `b:m`: unusable_auth",
      "the session moves away from `b:m`: cooldown, for 3 turns in a row",
    ]);
  });
});

test("two members of one target are told apart by their parameters", () => {
  const members = ["b:m?temperature=0", "b:m?temperature=1", "a:m"];
  const plan = planWith({ members, pinned: "b:m?temperature=1" });

  expect(plan.candidates.map(({ id }) => id)).toEqual([
    "b:m?temperature=1",
    "a:m",
    "b:m?temperature=0",
  ]);
  expect(outline(plan)[2]).toBe("b:m duplicate_member");
  expect(verdictOf(plan)).toBe("held");
});

const pin = { candidate: "b:m", missed: 0 };

test.each<{ what: string; verdict: PinVerdict; served: string; after: Pin }>([
  {
    what: "a first answer pins",
    verdict: { kind: "none" },
    served: "a:m",
    after: { candidate: "a:m", missed: 0 },
  },
  {
    what: "an answer of the pinned one",
    verdict: { kind: "held", pin: { ...pin, missed: 2 } },
    served: "b:m",
    after: pin,
  },
  {
    what: "a single failover leaves the pin",
    verdict: { kind: "held", pin },
    served: "a:m",
    after: { candidate: "b:m", missed: 1 },
  },
  {
    what: "a turn away leaves it",
    verdict: { kind: "away", pin: { ...pin, missed: 1 }, reason: "cooldown" },
    served: "a:m",
    after: { candidate: "b:m", missed: 2 },
  },
  {
    what: "a third failover in a row moves it",
    verdict: { kind: "held", pin: { ...pin, missed: 2 } },
    served: "a:m",
    after: { candidate: "a:m", missed: 0 },
  },
  {
    what: "a lost one moves to whoever answers",
    verdict: { kind: "lost", pin, reason: "unusable_auth" },
    served: "c:m",
    after: { candidate: "c:m", missed: 0 },
  },
])("$what", ({ verdict, served, after }) => {
  expect(pinAfter(verdict, served)).toEqual(after);
});

test("putting the pinned one first leaves a permutation with all others in their order", () => {
  const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 });
  fc.assert(
    fc.property(ids, fc.constantFrom("a", "b", "c", "d", "gone"), (all, pinned) => {
      const { candidates } = planWith({ members: all.map((id) => `${id}:m`), pinned: null });
      const verdict = judgePin({ candidate: `${pinned}:m`, missed: 0 }, candidates, NOW);
      const ordered = pinnedFirst(candidates, verdict);
      const others = (list: typeof ordered) => list.filter(({ id }) => id !== `${pinned}:m`);

      expect(others(ordered)).toEqual(others(candidates));
      expect(ordered.length).toBe(candidates.length);
      if (verdict.kind === "held") expect(ordered[0]?.id).toBe(`${pinned}:m`);
    }),
  );
});
