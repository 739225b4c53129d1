import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { schemaAt } from "../../src/config/keys.ts";
import { choicesOf } from "../../src/config/words.ts";
import { seededRandom } from "../../src/lib/random.ts";
import type { Contender } from "../../src/routing/member.ts";
import type { Balance } from "../../src/routing/signals.ts";
import {
  type Ordering,
  STRATEGIES,
  type StrategyName,
} from "../../src/routing/strategies/strategy.ts";
import { contender, type ContenderParts, namesOf } from "../support/contenders.ts";

const NAMES = Object.keys(STRATEGIES).filter((name): name is StrategyName => name in STRATEGIES);

const ORDERING: Ordering = {
  cursor: 0,
  random: () => 0.5,
  need: () => ({ input_tokens: 1000, max_output_tokens: null }),
};

type Row = readonly [name: string, parts?: ContenderParts];

const orderOf = (strategy: StrategyName, rows: readonly Row[], changes: Partial<Ordering> = {}) =>
  namesOf(
    STRATEGIES[strategy](
      rows.map(([name, parts]) => contender(name, parts)),
      { ...ORDERING, ...changes },
    ),
  ).join(" ");

test("the config offers the strategies there are, for a pool and as the default", () => {
  for (const path of [
    ["pools", "main", "strategy"],
    ["routing", "default_strategy"],
  ]) {
    const schema = schemaAt(path);
    expect(schema && choicesOf(schema)).toEqual(NAMES);
  }
});

describe("priority", () => {
  test.each<{ rows: Row[]; order: string }>([
    { rows: [["b"], ["a"], ["c"]], order: "b a c" },
    {
      rows: [
        ["b", { in_flight: 9, latency_ms: 900 }],
        ["a", { latency_ms: 1 }],
      ],
      order: "b a",
    },
    {
      rows: [
        ["b", { weight: 0 }],
        ["a", { weight: 9 }],
      ],
      order: "b a",
    },
    { rows: [], order: "" },
  ])("keeps the declared order $order", ({ rows, order }) => {
    expect(orderOf("priority", rows)).toBe(order);
  });
});

describe("round_robin", () => {
  const three: Row[] = [["a"], ["b"], ["c"]];

  test.each([
    { cursor: 0, order: "a b c" },
    { cursor: 1, order: "b c a" },
    { cursor: 2, order: "c a b" },
    { cursor: 3, order: "a b c" },
    { cursor: 1_000_000, order: "b c a" },
  ])("at turn $cursor begins with $order", ({ cursor, order }) => {
    expect(orderOf("round_robin", three, { cursor })).toBe(order);
  });

  test("of nobody is nobody", () => {
    expect(orderOf("round_robin", [], { cursor: 5 })).toBe("");
  });
});

describe("weighted", () => {
  test.each<{ what: string; rows: Row[]; draws: number[]; order: string }>([
    {
      what: "equal weights follow the draws",
      rows: [["a"], ["b"]],
      draws: [0.9, 0.1],
      order: "b a",
    },
    {
      what: "a heavy weight beats an unlucky draw",
      rows: [["a"], ["b", { weight: 50 }]],
      draws: [0.1, 0.5],
      order: "b a",
    },
    {
      what: "weight 0 is a spare, however lucky",
      rows: [
        ["a", { weight: 0 }],
        ["b", { weight: 0.001 }],
        ["c", { weight: 0 }],
      ],
      draws: [0, 0.999, 0],
      order: "b a c",
    },
    {
      what: "draws of exactly 0 are no trouble",
      rows: [["a"], ["b"]],
      draws: [0, 0],
      order: "a b",
    },
  ])("$what", ({ rows, draws, order }) => {
    const left = draws[Symbol.iterator]();

    expect(orderOf("weighted", rows, { random: () => left.next().value ?? 0 })).toBe(order);
  });

  const DRAWS = 10_000;

  test.each<{ weights: number[] }>([
    { weights: [1, 3] },
    { weights: [1, 1, 2, 6] },
    { weights: [0.5, 0.25] },
    { weights: [5, 0, 5] },
  ])("over 10,000 draws weights $weights come first as often as their share", ({ weights }) => {
    const contenders = weights.map((weight, at) => contender(String(at), { weight }));
    const total = weights.reduce((sum, weight) => sum + weight);
    const random = seededRandom(20_260_801);
    const firsts = weights.map(() => 0);
    for (let n = 0; n < DRAWS; n++) {
      const [first] = namesOf(STRATEGIES.weighted(contenders, { ...ORDERING, random }));
      firsts[Number(first)] = (firsts[Number(first)] ?? 0) + 1;
    }

    for (const [at, weight] of weights.entries()) {
      const share = weight / total;
      const sigma = Math.sqrt(DRAWS * share * (1 - share));
      expect(Math.abs((firsts[at] ?? 0) - DRAWS * share)).toBeLessThanOrEqual(3 * sigma);
    }
  });
});

describe("lowest_latency", () => {
  test.each<{ what: string; rows: Row[]; order: string }>([
    {
      what: "fastest first",
      rows: [
        ["a", { latency_ms: 30 }],
        ["b", { latency_ms: 10 }],
        ["c", { latency_ms: 20 }],
      ],
      order: "b c a",
    },
    {
      what: "unmeasured before measured",
      rows: [["a", { latency_ms: 1 }], ["b"], ["c", { latency_ms: 2 }], ["d"]],
      order: "b d a c",
    },
    {
      what: "an unmeasured one that is being measured waits at the end",
      rows: [["a", { in_flight: 1 }], ["b", { latency_ms: 500 }], ["c"]],
      order: "c b a",
    },
    {
      what: "where nothing is measured, a burst spreads out",
      rows: [
        ["a", { in_flight: 2 }],
        ["b", { in_flight: 1 }],
        ["c", { in_flight: 2 }],
      ],
      order: "b a c",
    },
    {
      what: "a busy measured one stays where its latency puts it",
      rows: [
        ["a", { latency_ms: 5, in_flight: 40 }],
        ["b", { latency_ms: 6 }],
      ],
      order: "a b",
    },
    {
      what: "ties stay as declared",
      rows: [
        ["b", { latency_ms: 7 }],
        ["a", { latency_ms: 7 }],
      ],
      order: "b a",
    },
  ])("$what", ({ rows, order }) => {
    expect(orderOf("lowest_latency", rows)).toBe(order);
  });
});

describe("lowest_cost", () => {
  test.each<{ what: string; rows: Row[]; order: string; input?: number; cap?: number }>([
    {
      what: "cheapest first",
      rows: [
        ["a", { price: [3, 15] }],
        ["b", { price: [0.1, 0.4] }],
        ["c", { price: [1, 2] }],
      ],
      order: "b c a",
    },
    {
      what: "free before cheap, unpriced after dear",
      rows: [["a"], ["b", { price: [90, 90] }], ["c", { price: [0, 0] }], ["d", { price: [1, 1] }]],
      order: "c d b a",
    },
    {
      what: "half a price is none",
      rows: [
        ["a", { price: [0.1, null] }],
        ["b", { price: [50, 50] }],
        ["c", { price: [null, 0] }],
      ],
      order: "b a c",
    },
    {
      what: "a long prompt makes the input price decide",
      rows: [
        ["a", { price: [2, 1] }],
        ["b", { price: [1, 20] }],
      ],
      input: 100_000,
      order: "b a",
    },
    {
      what: "a short one the price of 512 tokens of output",
      rows: [
        ["a", { price: [2, 1] }],
        ["b", { price: [1, 20] }],
      ],
      input: 10,
      order: "a b",
    },
    {
      what: "a lower cap of the client takes the place of the 512",
      rows: [
        ["a", { price: [2, 1] }],
        ["b", { price: [1, 20] }],
      ],
      input: 100,
      cap: 1,
      order: "b a",
    },
    {
      what: "a higher cap does not",
      rows: [
        ["a", { price: [2, 1] }],
        ["b", { price: [1, 1.5] }],
      ],
      input: 300,
      cap: 100_000,
      order: "b a",
    },
  ])("$what", ({ rows, order, input = 1000, cap = null }) => {
    const need = () => ({ input_tokens: input, max_output_tokens: cap });

    expect(orderOf("lowest_cost", rows, { need })).toBe(order);
  });
});

describe("least_busy", () => {
  test.each<{ rows: Row[]; order: string }>([
    { rows: [["a", { in_flight: 2 }], ["b"], ["c", { in_flight: 1 }]], order: "b c a" },
    { rows: [["b"], ["a"]], order: "b a" },
    {
      rows: [
        ["a", { in_flight: 1, latency_ms: 1 }],
        ["b", { latency_ms: 999 }],
      ],
      order: "b a",
    },
  ])("puts the fewest in flight first: $order", ({ rows, order }) => {
    expect(orderOf("least_busy", rows)).toBe(order);
  });
});

describe("most_credits", () => {
  test.each<{ what: string; rows: Row[]; order: string }>([
    {
      what: "known funds, most first; then unknown; then empty",
      rows: [["a", { usd: 0 }], ["b"], ["c", { usd: 5 }], ["d", { usd: 20 }], ["e", { usd: -1 }]],
      order: "d c b a e",
    },
    {
      what: "the unknown keep their order, and so do the empty",
      rows: [["b", { usd: -9 }], ["d"], ["a", { usd: 0 }], ["c"]],
      order: "d c b a",
    },
    {
      what: "credits are no dollars: the first declared with funds says what counts",
      rows: [["a"], ["b", { usd: 1 }], ["c", { credits: 5000 }], ["d", { usd: 2 }]],
      order: "d b a c",
    },
    {
      what: "empty is empty in any unit",
      rows: [["a", { credits: 0 }], ["b", { usd: 3 }], ["c"]],
      order: "b c a",
    },
    {
      what: "an empty one says nothing of what counts",
      rows: [
        ["a", { usd: 0 }],
        ["b", { credits: 3 }],
        ["c", { credits: 4 }],
      ],
      order: "c b a",
    },
  ])("$what", ({ rows, order }) => {
    expect(orderOf("most_credits", rows)).toBe(order);
  });
});

const parts = fc.record(
  {
    latency_ms: fc.option(fc.integer({ min: 0, max: 50 })),
    in_flight: fc.integer({ min: 0, max: 3 }),
    weight: fc.constantFrom(0, 0.5, 1, 7),
    usd: fc.integer({ min: -2, max: 9 }),
    credits: fc.integer({ min: -2, max: 9 }),
    price: fc.tuple(fc.option(fc.nat(9)), fc.option(fc.nat(9))),
  },
  { requiredKeys: [] },
);
const fleet = fc
  .array(parts, { maxLength: 9 })
  .map((all) => all.map((one, at) => contender(`t${at}`, one)));

describe.each(NAMES.map((name) => ({ name })))("$name", ({ name }) => {
  const order = (contenders: readonly Contender[], seed: number, cursor: number) =>
    STRATEGIES[name](contenders, { ...ORDERING, cursor, random: seededRandom(seed) });

  test("gives a permutation, and the same one for the same values", () => {
    fc.assert(
      fc.property(fleet, fc.nat(), fc.nat(), (contenders, seed, cursor) => {
        const before = [...contenders];
        const ordered = order(contenders, seed, cursor);

        expect(namesOf(ordered).toSorted()).toEqual(namesOf(contenders).toSorted());
        expect(order(contenders, seed, cursor)).toEqual(ordered);
        expect(contenders).toEqual(before);
      }),
    );
  });
});

test("an unpriced target never comes before a priced one", () => {
  fc.assert(
    fc.property(fleet, (contenders) => {
      const priced = STRATEGIES.lowest_cost(contenders, ORDERING).map(({ signals: { card } }) =>
        Object.values(card.price)
          .slice(0, 2)
          .every((usd) => usd !== null),
      );

      expect(priced).toEqual(priced.toSorted((a, b) => Number(b) - Number(a)));
    }),
  );
});

function bandOf(balance: Balance | null): number {
  if (balance === null) return 1;
  return balance.amount > 0 ? 0 : 2;
}

test("a target of unknown balance comes after all known funds of one unit and before all empty ones", () => {
  fc.assert(
    fc.property(fleet, (contenders) => {
      const bands = STRATEGIES.most_credits(contenders)
        .filter(({ signals: { balance } }) => balance?.unit !== "credits")
        .map(({ signals: { balance } }) => bandOf(balance));
      const isDollarFleet = contenders
        .flatMap(({ signals: { balance } }) =>
          balance && balance.amount > 0 ? [balance.unit] : [],
        )
        .slice(0, 1)
        .every((unit) => unit === "usd");

      fc.pre(isDollarFleet);
      expect(bands).toEqual(bands.toSorted((a, b) => a - b));
    }),
  );
});
