import { expect, test } from "bun:test";

import { readBlock, type RouteBlock } from "../../../src/address/block.ts";
import { Routing } from "../../../src/config/schema-routing.ts";

test.each([undefined, null, {}, { pool: null }])("%j asks for nothing", (value) => {
  expect(readBlock(value)).toEqual({ kind: "ok", block: {} });
});

test("all eight keys are read", () => {
  const block: RouteBlock = {
    target: "sim:echo",
    pool: "main",
    lane: "deep",
    profile: "frugal",
    complexity: "high",
    effort: "low",
    session: "s-1",
    routing: { max_attempts: 2, retries: 0, on_refusal: "failover" },
  };

  expect(readBlock(block)).toEqual({ kind: "ok", block });
});

test("a setting that is null asks for nothing", () => {
  const routing = { max_attempts: null, retries: 1 };

  expect(readBlock({ routing })).toEqual({ kind: "ok", block: { routing: { retries: 1 } } });
});

const kindsOf = (name: string, values: readonly unknown[]) =>
  values.map((value) => readBlock({ routing: { [name]: value } }).kind);

test("the settings of a request have the bounds of the config's", () => {
  const { max_attempts, retries, on_refusal } = Routing.properties;
  for (const [name, { minimum = 0, maximum = 0 }] of Object.entries({ max_attempts, retries })) {
    expect(kindsOf(name, [minimum - 1, minimum, maximum, maximum + 1])).toEqual([
      "problem",
      "ok",
      "ok",
      "problem",
    ]);
  }
  const words = on_refusal.anyOf.map((word) => word.const);
  expect(kindsOf("on_refusal", words)).toEqual(words.map(() => "ok"));
});

test.each<{ value: unknown; param: string; says: string }>([
  { value: "main", param: "veriroute", says: "`veriroute` must be an object" },
  { value: ["main"], param: "veriroute", says: "`veriroute` must be an object" },
  {
    value: { poool: "main" },
    param: "veriroute",
    says: "`veriroute` has no key `poool`; did you mean `pool`?",
  },
  {
    value: { zzzzzzzz: 1 },
    param: "veriroute",
    says: "`veriroute` has no key `zzzzzzzz`; known keys: target, pool, lane, profile, complexity, effort, session, routing",
  },
  {
    value: JSON.parse('{"__proto__": 1}'),
    param: "veriroute",
    says: "`veriroute` has no key `__proto__`; known keys: target, pool, lane, profile, complexity, effort, session, routing",
  },
  {
    value: { pool: 3 },
    param: "veriroute.pool",
    says: "`veriroute.pool` must be text of 1 to 2048 characters",
  },
  {
    value: { session: "x".repeat(3000) },
    param: "veriroute.session",
    says: "`veriroute.session` must be text of 1 to 2048 characters",
  },
  {
    value: { effort: "ultra" },
    param: "veriroute.effort",
    says: "`veriroute.effort` must be one of none, minimal, low, medium, high, xhigh, max",
  },
  {
    value: { routing: "x" },
    param: "veriroute.routing",
    says: "`veriroute.routing` must be an object",
  },
  {
    value: { routing: { speed: 1 } },
    param: "veriroute.routing",
    says: "`veriroute.routing` has no key `speed`; known keys: max_attempts, retries, on_refusal",
  },
  {
    value: { routing: { max_attempt: 1 } },
    param: "veriroute.routing",
    says: "`veriroute.routing` has no key `max_attempt`; did you mean `max_attempts`?",
  },
  {
    value: { routing: { max_attempts: 21 } },
    param: "veriroute.routing.max_attempts",
    says: "`veriroute.routing.max_attempts` must be a whole number from 1 to 20",
  },
  {
    value: { routing: { max_attempts: 0 } },
    param: "veriroute.routing.max_attempts",
    says: "`veriroute.routing.max_attempts` must be a whole number from 1 to 20",
  },
  {
    value: { routing: { retries: 2 } },
    param: "veriroute.routing.retries",
    says: "`veriroute.routing.retries` must be a whole number from 0 to 1",
  },
  {
    value: { routing: { on_refusal: "retry" } },
    param: "veriroute.routing.on_refusal",
    says: "`veriroute.routing.on_refusal` must be `return` or `failover`",
  },
])("a block that is wrong at $param says $says", ({ value, param, says }) => {
  expect(readBlock(value)).toEqual({ kind: "problem", param, message: says });
});
