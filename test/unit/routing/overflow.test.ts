import { describe, expect, test } from "bun:test";

import { afterOverflow, fitsNowhere, readOverflow } from "../../../src/routing/overflow.ts";
import type { Candidate, Reason } from "../../../src/routing/plan.ts";

describe("what a vendor says of a prompt that does not fit", () => {
  test.each<{ says: string | null; limit: number | null; actual: number | null }>([
    {
      says: "This model's maximum context length is 131072 tokens. However, your messages resulted in 140000 tokens.",
      limit: 131_072,
      actual: 140_000,
    },
    {
      says: "This model's maximum context length is 8192 tokens. However, you requested 10000 tokens (9000 in the messages, 1000 in the completion).",
      limit: 8192,
      actual: 10_000,
    },
    { says: "prompt is too long: 212345 tokens > 200000 maximum", limit: 200_000, actual: 212_345 },
    {
      says: "The input token count (1,048,999) exceeds the maximum number of tokens allowed (1,048,576).",
      limit: 1_048_576,
      actual: 1_048_999,
    },
    {
      says: "Input length (265330) exceeds model's maximum context length (262144).",
      limit: 262_144,
      actual: 265_330,
    },
    {
      says: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
      limit: 190_000,
      actual: 200_000,
    },
    { says: "the request exceeds the context window of 4096 tokens", limit: 4096, actual: null },
    { says: "Prompt exceeds max length (code 1261)", limit: 1261, actual: null },
    { says: "too long", limit: null, actual: null },
    { says: "", limit: null, actual: null },
    { says: null, limit: null, actual: null },
  ])("$says", ({ says, limit, actual }) => {
    expect(readOverflow(says)).toEqual({ limit, actual });
  });
});

const cooling: Reason = { layer: 6, code: "cooldown", detail: null, until_at: 9 };
const tooSmall: Reason = {
  layer: 7,
  code: "window_too_small",
  detail: "estimated",
  until_at: null,
};
const heldBack: Reason = { layer: 7, code: "tier_held_back", detail: null, until_at: null };

function candidate(target: string, window_tokens: number | null, ...reasons: Reason[]): Candidate {
  const member = { instance: target, model: "m", params: {} };
  const eligible = reasons.length === 0;
  return { target, id: target, eligible, reasons, score: null, member, window_tokens };
}

const outline = (candidates: readonly Candidate[]) =>
  candidates.map(({ target, reasons }) => [target, ...reasons.map(({ code }) => code)].join(" "));

const OVERFLOW = { limit: 8000, actual: 10_000 };

describe("after an overflow", () => {
  test.each<{
    what: string;
    left: Candidate[];
    failed?: number | null;
    overflow?: object;
    plan: string[];
  }>([
    {
      what: "larger known windows come first, unknown ones last",
      left: [candidate("unknown", null), candidate("small", 9000), candidate("large", 32_000)],
      plan: ["large", "unknown", "small window_too_small"],
    },
    {
      what: "plan order holds among the large and among the unknown",
      left: [
        candidate("u1", null),
        candidate("l1", 64_000),
        candidate("u2", null),
        candidate("l2", 10_000),
      ],
      plan: ["l1", "l2", "u1", "u2"],
    },
    {
      what: "a window of exactly what is needed will do",
      left: [candidate("exact", 10_000), candidate("one-less", 9999)],
      plan: ["exact", "one-less window_too_small"],
    },
    {
      what: "a held-back tier takes its turn by its window too",
      left: [candidate("unknown", null), candidate("spare", 32_000, heldBack)],
      plan: ["spare tier_held_back", "unknown"],
    },
    {
      what: "who is out for another reason stays out",
      left: [candidate("cold", 99_000, cooling), candidate("large", 99_000)],
      plan: ["large", "cold cooldown"],
    },
    {
      what: "who was out by an estimate that was too high is back",
      left: [candidate("fits", 12_000, tooSmall), candidate("not", 9000, tooSmall)],
      plan: ["fits", "not window_too_small"],
    },
    {
      what: "without a figure the failed one's own window is what must be exceeded",
      left: [candidate("same", 8000), candidate("larger", 8001)],
      failed: 8000,
      overflow: { limit: null, actual: null },
      plan: ["larger", "same window_too_small"],
    },
    {
      what: "a limit without the actual size must be exceeded",
      left: [candidate("same", 4096), candidate("larger", 8192)],
      failed: null,
      overflow: { limit: 4096, actual: null },
      plan: ["larger", "same window_too_small"],
    },
    {
      what: "with nothing known everyone is left, known windows first",
      left: [candidate("unknown", null), candidate("known", 1000)],
      failed: null,
      overflow: { limit: null, actual: null },
      plan: ["known", "unknown"],
    },
    { what: "of nobody nobody is left", left: [], plan: [] },
  ])("$what", ({ left, failed = 8000, overflow = OVERFLOW, plan }) => {
    const figures = { ...OVERFLOW, ...overflow };

    expect(
      outline(afterOverflow({ left, failed: { window_tokens: failed }, overflow: figures })),
    ).toEqual(plan);
  });
});

describe("a plan fits nowhere", () => {
  test("where every window is too small, whatever else is in the way", () => {
    const candidates = [candidate("a", 8000, tooSmall), candidate("b", 9000, cooling, tooSmall)];

    expect(fitsNowhere({ candidates })).toEqual({
      kind: "refuse",
      code: "context_length_exceeded",
      message:
        "the prompt exceeds the maximum context length of every candidate (estimated): `a`: estimated; `b`: estimated; shorten it, or add a target with a larger window",
      param: "messages",
    });
  });

  test.each([
    { what: "is eligible", more: candidate("b", null) },
    { what: "is large enough but cooling down", more: candidate("b", 99_000, cooling) },
  ])("not where one $what", ({ more }) => {
    expect(fitsNowhere({ candidates: [candidate("a", 8000, tooSmall), more] })).toBeUndefined();
  });

  test("not where there is no candidate at all", () => {
    expect(fitsNowhere({ candidates: [] })).toBeUndefined();
  });
});
