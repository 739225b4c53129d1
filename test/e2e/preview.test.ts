import { expect, test } from "bun:test";

import * as fc from "fast-check";

import type { Decision } from "../../src/routing/decision.ts";
import { STRATEGIES } from "../../src/routing/strategies/strategy.ts";
import { movedClock } from "../support/moved-clock.ts";
import { observe } from "../support/observe.ts";
import { startRouter, type TestRouter } from "../support/router.ts";

const INSTANCES = ["a", "b", "c", "d"];

/** Simulated models: some answer, some fail always or at times, each in a way that moves health. */
const MODELS = [
  "echo",
  "story?tokens=3",
  "empty?rate=0.5",
  "status?code=429&rate=0.5",
  "status?code=500",
  "status?code=402",
  "status?code=401&rate=0.3",
];

const member = fc
  .record({
    instance: fc.constantFrom(...INSTANCES),
    model: fc.constantFrom(...MODELS),
    order: fc.constantFrom(0, 0, 0, 0, 1, 2),
    weight: fc.constantFrom(0, 1, 3),
  })
  .map(({ instance, model, order, weight }) => {
    const more = `order=${order}&weight=${weight}`;
    return `${instance}:${model}${model.includes("?") ? "&" : "?"}${more}`;
  });

interface Asked {
  readonly model: string;
  readonly stream: boolean;
  readonly session: string | null;
  readonly words: number;
  readonly tools: boolean;
  /** The clock moves so far before it. */
  readonly after_ms: number;
}

const asked: fc.Arbitrary<Asked> = fc.record({
  model: fc.constantFrom("pool:main", "pool:main", "pool:main", "auto", "a:echo", "echo", "nobody"),
  stream: fc.boolean(),
  session: fc.constantFrom(null, "s1", "s2"),
  words: fc.constantFrom(1, 400),
  tools: fc.boolean(),
  after_ms: fc.constantFrom(0, 0, 1000, 15_000, 61_000),
});

const fleet = fc.record({
  // Turns are what a preview could take away, so they come up more often.
  strategy: fc.constantFrom("round_robin", "round_robin", ...Object.keys(STRATEGIES)),
  affinity: fc.constantFrom("session", "none"),
  members: fc.array(member, { minLength: 2, maxLength: 6 }),
  excluded: fc.option(fc.constantFrom(...INSTANCES), { nil: null }),
  providers: fc.constantFrom(INSTANCES, INSTANCES, ["a", "b"]),
  requests: fc.array(asked, { minLength: 3, maxLength: 8 }),
});

type Fleet = typeof fleet extends fc.Arbitrary<infer T> ? T : never;

const list = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join(", ");

function configOf({ strategy, affinity, members, excluded, providers }: Fleet): string {
  return [
    ...INSTANCES.map((name) => `[providers.${name}]\ntype = "sim"\nmodels = ["echo"]`),
    `[pools.main]\nstrategy = "${strategy}"\naffinity = "${affinity}"\ntargets = [${list(members)}]`,
    `[profiles.house]\nallow = { providers = [${list(providers)}] }`,
    '[routing]\ndefault_profile = "house"',
    ...(excluded === null ? [] : [`[exclusions]\n${excluded} = "r"`]),
  ].join("\n");
}

function sent({ model, stream, session, words, tools }: Asked) {
  const content = "word ".repeat(words);
  const body = {
    model,
    stream,
    messages: [{ role: "user", content }],
    ...(tools && { tools: [{ type: "function", function: { name: "f" } }] }),
  };
  return [body, { headers: session === null ? {} : { "x-session-id": session } }] as const;
}

/** What of a plan its decision keeps too. */
const kept = ({ plan, pool, profile, strategy }: Record<string, unknown>) => ({
  plan,
  pool,
  profile,
  strategy,
});

/** A preview with its notes where a decision has them. */
const withNotes = ({ plan, notes, ...rest }: Record<string, unknown>) => {
  return { ...rest, plan: Object.assign({ notes }, plan) };
};

/** All that a preview says, notes included. */
async function preview(router: TestRouter, request: Asked): Promise<Record<string, unknown>> {
  const response = await router.post("/v1/routing/explain", ...sent(request));
  return JSON.parse(await response.text());
}

/** The decision of a real request. */
async function decide(router: TestRouter, request: Asked): Promise<Decision> {
  const response = await router.post("/v1/chat/completions", ...sent(request));
  await response.text();
  return observe(router).decision(response.headers.get("x-veriroute-decision"));
}

test("a preview is the plan that the next request gets, however often it is asked for", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fleet, async (given) => {
      const clock = movedClock();
      await using router = await startRouter({
        config: configOf(given),
        clock,
        random: () => 0.37,
      });
      for (const request of given.requests) {
        clock.move(request.after_ms);
        const first = await preview(router, request);
        const second = await preview(router, request);
        const decision = await decide(router, request);

        expect(second).toEqual(first);
        if ("plan" in first) expect(kept({ ...decision })).toEqual(kept(withNotes(first)));
        else expect(first).toMatchObject({ error: { code: decision.error_code } });
        compared++;
      }
    }),
    { numRuns: 40 },
  );

  expect(compared).toBeGreaterThan(100);
}, 60_000);
