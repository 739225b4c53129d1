import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { createRecent } from "../../../src/relay/recent.ts";
import { createRoutingMemory, type RoutingMemory } from "../../../src/relay/routing-memory.ts";
import type { RoutePlan } from "../../../src/routing/plan.ts";
import { STRATEGIES, type StrategyName } from "../../../src/routing/strategies/strategy.ts";
import type { RoutingWorld } from "../../../src/routing/world.ts";
import { contender } from "../../support/contenders.ts";
import { anInstance, aWorld, planFor, routeFor } from "../routing/a-world.ts";

const HOUR = 3_600_000;
const INSTANCES = ["a", "b", "c"].map((name) => anInstance(name, { type: "openai" }));

/** A world whose cursor and pins are those of a memory. */
function worldOf(memory: RoutingMemory, changes: Partial<Omit<RoutingWorld, "pools">> = {}) {
  return aWorld({
    instances: INSTANCES,
    pools: { main: { members: ["a:m", "b:m", "c:m"], strategy: "round_robin" } },
    cursor: (pool) => memory.cursor(pool),
    pin: (pool, session) => memory.pin(pool, session),
    ...changes,
  });
}

const firsts = (plans: readonly RoutePlan[]) =>
  plans.map(({ candidates }) => candidates[0]?.target);

describe("turns", () => {
  test("go on with every plan that is carried out, not with a preview", () => {
    const memory = createRoutingMemory(() => 0);
    const plans = Array.from({ length: 5 }, () => {
      for (let n = 0; n < 3; n++) routeFor("pool:main", worldOf(memory));
      const plan = routeFor("pool:main", worldOf(memory));
      memory.began(plan);
      return plan;
    });

    expect(firsts(plans)).toEqual(["a:m", "b:m", "c:m", "a:m", "b:m"]);
  });

  test("are not taken by a plan without an eligible candidate, nor by a target outside of pools", () => {
    const memory = createRoutingMemory(() => 0);
    const out = [{ layer: 2, code: "operator_exclusion", detail: null, until_at: null }];

    memory.began(routeFor("pool:main", worldOf(memory, { eligibility: () => out })));
    memory.began(routeFor("a:m", worldOf(memory)));

    expect(memory.cursor("main")).toBe(0);
  });
});

/** One request of session `s`; its target by plan, answered by `served` or by that. */
const turn = (memory: RoutingMemory, served: string | null, changes = {}) => {
  const plan = routeFor("pool:main", worldOf(memory, changes), { session: "s" });
  memory.began(plan);
  memory.served(plan, served ?? plan.candidates[0]?.target ?? "");
  return plan.candidates[0]?.target;
};

describe("sessions", () => {
  test("stay with whoever answered first, even if that was the second choice", () => {
    const memory = createRoutingMemory(() => 0);

    expect(turn(memory, "b:m")).toBe("a:m");
    expect([turn(memory, null), turn(memory, null), turn(memory, null)]).toEqual([
      "b:m",
      "b:m",
      "b:m",
    ]);
    expect(memory.cursor("main")).toBe(1);
  });

  test("come back after one failover, and move after three in a row", () => {
    const memory = createRoutingMemory(() => 0);
    turn(memory, "b:m");

    expect([turn(memory, "c:m"), turn(memory, null)]).toEqual(["b:m", "b:m"]);
    expect([turn(memory, "c:m"), turn(memory, "c:m"), turn(memory, "a:m")]).toEqual([
      "b:m",
      "b:m",
      "b:m",
    ]);
    expect(turn(memory, null)).toBe("a:m");
  });

  test("move at once from a target whose credential was refused", () => {
    const memory = createRoutingMemory(() => 0);
    turn(memory, "b:m");
    const refused = [{ layer: 4, code: "unusable_auth", detail: null, until_at: null }];
    const eligibility = ({ instance }: { instance: string }) => (instance === "b" ? refused : []);

    const chosen = turn(memory, null, { eligibility });

    expect(chosen).toBe("c:m");
    expect(turn(memory, null)).toBe("c:m");
  });

  test("are not pinned by a request that nobody answered, nor by a preview", () => {
    const memory = createRoutingMemory(() => 0);
    const plan = routeFor("pool:main", worldOf(memory), { session: "s" });

    memory.began(plan);
    memory.served(plan, "");

    expect(memory.pin("main", "s")).toBeNull();
  });

  test("of one name in two pools are two", () => {
    const memory = createRoutingMemory(() => 0);
    turn(memory, "b:m");

    expect(memory.pin("other", "s")).toBeNull();
    expect(memory.pin("main", "s")).toEqual({ candidate: "b:m", missed: 0 });
  });

  test("end after a day of silence", () => {
    let now = 0;
    const memory = createRoutingMemory(() => now);
    turn(memory, "b:m");
    now = 23 * HOUR;
    expect(turn(memory, null)).toBe("b:m");
    now += 24 * HOUR;

    expect(memory.pin("main", "s")).toBeNull();
  });
});

test("a map that forgets holds no more than it may, and lets the longest silent go", () => {
  const recent = createRecent<number>({ max: 3, ttl_ms: 100, now: () => 0 });
  for (const key of ["a", "b", "c", "a", "d"]) recent.set(key, 1);

  expect(["a", "b", "c", "d"].map((key) => recent.get(key))).toEqual([1, undefined, 1, 1]);
  expect(recent.size()).toBe(3);
});

test("a preview and the request after it agree on the same state, and only the request changes it", () => {
  const strategies = Object.keys(STRATEGIES).filter(
    (name): name is StrategyName => name in STRATEGIES,
  );
  const given = fc.record({
    strategy: fc.constantFrom(...strategies),
    seed: fc.nat(2 ** 32 - 1),
    members: fc.array(
      fc
        .tuple(fc.constantFrom("a", "b", "c", "gone"), fc.nat(2), fc.constantFrom(0, 1, 5))
        .map(([name, order, weight]) => `${name}:m?order=${order}&weight=${weight}`),
      { minLength: 1, maxLength: 6 },
    ),
    cold: fc.subarray(["a", "b", "c"]),
    latency: fc.option(fc.nat(9)),
    turns: fc.nat(5),
    session: fc.option(fc.constantFrom("s", "t")),
  });
  fc.assert(
    fc.property(given, ({ strategy, seed, members, cold, latency, turns, session }) => {
      const memory = createRoutingMemory(() => 0);
      const { signals } = contender("x", { latency_ms: latency });
      const pools = { main: { members, strategy } };
      const world = () => ({
        ...worldOf(memory),
        pools: aWorld({ pools }).pools,
        seed,
        signals: () => signals,
        eligibility: ({ instance }: { instance: string }) =>
          cold.includes(instance)
            ? [{ layer: 6, code: "cooldown", detail: null, until_at: 9 }]
            : [],
      });
      const request = () => planFor("pool:main", world(), { session });
      for (let n = 0; n < turns; n++) {
        const plan = request();
        if (plan.kind === "refuse") return;
        memory.began(plan);
        memory.served(plan, plan.candidates.find(({ eligible }) => eligible)?.target ?? "");
      }
      const before = [memory.cursor("main"), memory.pin("main", "s"), memory.pin("main", "t")];
      const previews = [request(), request()];
      const after = [memory.cursor("main"), memory.pin("main", "s"), memory.pin("main", "t")];

      expect(after).toEqual(before);
      expect(previews[0]).toEqual(request());
      expect(previews[1]).toEqual(request());
    }),
  );
});
