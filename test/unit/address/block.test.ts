import { expect, test } from "bun:test";

import { readBlock, type RouteBlock } from "../../../src/address/block.ts";

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
    routing: {},
  };

  expect(readBlock(block)).toEqual({ kind: "ok", block });
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
    param: "veriroute.routing.speed",
    says: "`veriroute.routing.speed` is no setting; leave it out",
  },
])("a block that is wrong at $param says $says", ({ value, param, says }) => {
  expect(readBlock(value)).toEqual({ kind: "problem", param, message: says });
});
