import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { isTriable } from "../../../src/routing/arrange.ts";
import type { Candidate, Reason } from "../../../src/routing/plan.ts";
import { anInstance, aWorld, outline, planFor } from "./a-world.ts";

const INSTANCES = [
  anInstance("a", { type: "openai" }),
  anInstance("b", { type: "openai" }),
  anInstance("c", { type: "openai" }),
  anInstance("claude", { type: "anthropic" }),
  anInstance("keyless", {
    type: "groq",
    problem: { code: "missing_credential", message: "set `GROQ_API_KEY`" },
  }),
];

const cooling: Reason = {
  layer: 6,
  code: "cooldown",
  detail: "12 s left after rate_limit",
  until_at: 12_000,
};

function poolOf(members: string[], benched: string[] = []) {
  return aWorld({
    instances: INSTANCES,
    pools: { main: members },
    eligibility: ({ instance }) => (benched.includes(instance) ? [cooling] : []),
  });
}

const planOf = (members: string[], benched: string[] = []) =>
  planFor("pool:main", poolOf(members, benched));

test.each<{ what: string; members: string[]; benched?: string[]; plan: string[] }>([
  { what: "declared order", members: ["b:m", "a:m"], plan: ["b:m", "a:m"] },
  {
    what: "the eligible first, the rest as declared",
    members: ["a:m", "keyless:m", "b:m", "c:m"],
    benched: ["a"],
    plan: ["b:m", "c:m", "a:m cooldown", "keyless:m missing_credential"],
  },
  {
    what: "higher tiers behind the lowest, lowest first",
    members: ["a:m?order=2", "b:m?order=1", "c:m", "a:n?order=1"],
    plan: ["c:m", "b:m tier_held_back", "a:n tier_held_back", "a:m tier_held_back"],
  },
  {
    what: "the next tier, where the lowest has nobody left",
    members: ["a:m", "b:m?order=1", "c:m?order=2"],
    benched: ["a"],
    plan: ["b:m", "c:m tier_held_back", "a:m cooldown"],
  },
  {
    what: "one attempt per key",
    members: ["a:m?temperature=0", "a:m?temperature=1", "b:m"],
    plan: ["a:m", "b:m", "a:m duplicate_member"],
  },
  {
    what: "the earlier tier of a target that stands in two",
    members: ["a:m?order=1", "b:m", "a:m"],
    plan: ["b:m", "a:m", "a:m duplicate_member"],
  },
  {
    what: "members that lead nowhere, with the reason",
    members: ["gone:m", "a", "a:m#b", "a:m#gone", "xai:grok-4", "b:m"],
    plan: [
      "b:m",
      "gone:m unknown_instance",
      "a: no_default_model",
      "b:m wrong_instance_type",
      "gone:m unknown_instance",
      "xai:grok-4 missing_credential",
    ],
  },
  {
    what: "every reason of a member",
    members: ["keyless:m", "a:m"],
    benched: ["keyless"],
    plan: ["a:m", "keyless:m missing_credential cooldown"],
  },
])("a pool's plan is $what", ({ members, benched = [], plan }) => {
  expect(outline(planOf(members, benched))).toEqual(plan);
});

test("parameters are kept per member, what speaks to the router is not sent", () => {
  const plan = planOf(["a:m?temperature=0&weight=2", "b:m?effort=low&order=0"]);

  expect(plan.kind === "route" && plan.candidates.map(({ member }) => member.params)).toEqual([
    { temperature: 0 },
    { effort: "low" },
  ]);
  expect(plan).toMatchObject({ pool: "main", strategy: "priority" });
});

test("two reasons of one kind are both shown, as of the instance and of the target", () => {
  const excluded = { layer: 2, code: "operator_exclusion", until_at: null };
  const world = {
    ...poolOf(["a:m"]),
    eligibility: () => [
      { ...excluded, detail: "whole" },
      { ...excluded, detail: "one" },
    ],
  };

  expect(outline(planFor("pool:main", world))).toEqual([
    "a:m operator_exclusion operator_exclusion",
  ]);
});

test("reasons come by layer, whoever gave them", () => {
  const world = {
    ...poolOf(["keyless:m"]),
    eligibility: () => [cooling, { layer: 0, code: "not_allowed", detail: null, until_at: null }],
  };

  expect(outline(planFor("pool:main", world))).toEqual([
    "keyless:m not_allowed missing_credential cooldown",
  ]);
});

test("only what stands outside a pool is pinned, and only targets that exist are asked about", () => {
  const asked: [string, object][] = [];
  const world = {
    ...poolOf(["a:m", "gone:m"]),
    eligibility: ({ instance }: { instance: string }, call: object) => {
      asked.push([instance, call]);
      return [];
    },
  };
  for (const model of ["pool:main", "b:m", "xai:grok-4"]) planFor(model, world);
  planFor("b:m", world, { body: { stream: true } });

  expect(asked).toEqual([
    ["a", { pinned: false, stream: false }],
    ["b", { pinned: true, stream: false }],
    ["b", { pinned: true, stream: true }],
  ]);
});

test.each<{ dialect: "chat" | "completions" | "embeddings"; plan: string[] }>([
  { dialect: "chat", plan: ["a:e", "claude:e", "b:x/E", "c:other"] },
  {
    dialect: "completions",
    plan: ["a:e", "b:x/E", "c:other", "claude:e dialect_unsupported"],
  },
  {
    dialect: "embeddings",
    plan: ["a:e", "b:x/E", "claude:e dialect_unsupported", "c:other embedding_model_differs"],
  },
])("a pool for $dialect drops the members that could not answer alike", ({ dialect, plan }) => {
  const world = poolOf(["a:e", "claude:e", "b:x/E", "c:other"]);

  expect(outline(planFor("pool:main", world, { dialect }))).toEqual(plan);
});

test("the first declared member fixes the embedding model even while it is benched", () => {
  const world = poolOf(["a:e", "b:other", "c:vendor/e"], ["a"]);

  expect(outline(planFor("pool:main", world, { dialect: "embeddings" }))).toEqual([
    "c:vendor/e",
    "a:e cooldown",
    "b:other embedding_model_differs",
  ]);
});

test.each<{ reasons: Pick<Reason, "code">[]; triable: boolean }>([
  { reasons: [], triable: true },
  { reasons: [{ code: "tier_held_back" }], triable: true },
  { reasons: [{ code: "duplicate_member" }], triable: false },
  { reasons: [{ code: "cooldown" }], triable: false },
])("a candidate with $reasons may be tried in its turn: $triable", ({ reasons, triable }) => {
  expect(isTriable({ reasons: reasons.map((reason) => ({ ...cooling, ...reason })) })).toBe(
    triable,
  );
});

const memberText = fc
  .tuple(
    fc.constantFrom("a", "b", "c", "keyless", "gone"),
    fc.constantFrom("m", "n"),
    fc.integer({ min: 0, max: 2 }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(
    ([instance, model, order, weight]) => `${instance}:${model}?order=${order}&weight=${weight}`,
  );
const members = fc.array(memberText, { minLength: 1, maxLength: 8 });
const benched = fc.subarray(["a", "b", "c"]);

const keysOf = (candidates: readonly Candidate[]) => candidates.map(({ target }) => target);
const candidatesOf = (texts: string[], out: string[]): readonly Candidate[] => {
  const plan = planOf(texts, out);
  if (plan.kind === "refuse") throw new Error(plan.message);
  return plan.candidates;
};

test("a plan is a permutation of its pool's members, the eligible first", () => {
  fc.assert(
    fc.property(members, benched, (texts, out) => {
      const candidates = candidatesOf(texts, out);

      expect(keysOf(candidates).toSorted()).toEqual(
        texts.map((text) => text.replace(/\?.*/, "")).toSorted(),
      );
      const eligible = candidates.map((candidate) => candidate.eligible);
      expect(eligible).toEqual(eligible.toSorted((a, b) => Number(b) - Number(a)));
      const tried = keysOf(candidates.filter(isTriable));
      expect(new Set(tried).size).toBe(tried.length);
      for (const { eligible: is, reasons } of candidates) expect(is).toBe(reasons.length === 0);
    }),
  );
});

test("adding an ineligible member never reorders the others", () => {
  fc.assert(
    fc.property(members, benched, fc.nat(), (texts, out, at) => {
      const position = at % (texts.length + 1);
      const before = candidatesOf(texts, out);
      const after = candidatesOf(texts.toSpliced(position, 0, "claude:added"), [...out, "claude"]);

      expect(after.filter(({ target }) => target !== "claude:added")).toEqual([...before]);
    }),
  );
});

test("making a plan changes nothing: the same world gives the same plan", () => {
  fc.assert(
    fc.property(members, benched, (texts, out) => {
      const world = poolOf(texts, out);

      expect(planFor("pool:main", world)).toEqual(planFor("pool:main", world));
    }),
  );
});
