import { expect, test } from "bun:test";

import { fitsNowhere } from "../../../src/routing/overflow.ts";
import { NO_SIGNALS, UNKNOWN_CARD } from "../../../src/routing/signals.ts";
import { anInstance, aWorld, outline, routeFor } from "./a-world.ts";

const WINDOWS: Readonly<Record<string, number | null>> = {
  small: 8000,
  medium: 128_000,
  large: 1_000_000,
  vague: null,
};

const world = (members: string[], cold: string[] = []) =>
  aWorld({
    instances: Object.keys(WINDOWS).map((name) => anInstance(name, { type: "openai" })),
    pools: { main: members.map((name) => `${name}:m`) },
    eligibility: ({ instance }) =>
      cold.includes(instance) ? [{ layer: 6, code: "cooldown", detail: null, until_at: 9 }] : [],
    signals: ({ instance }) => ({
      ...NO_SIGNALS,
      card: { ...UNKNOWN_CARD, window_tokens: WINDOWS[instance] ?? null },
    }),
  });

const prompt = (characters: number, more: object = {}) => ({
  messages: [{ role: "user", content: "x".repeat(characters - 4) }],
  ...more,
});

test.each<{
  what: string;
  members: string[];
  body: Record<string, unknown>;
  plan: string[];
  cold?: string[];
}>([
  {
    what: "a short prompt goes anywhere",
    members: ["small", "large"],
    body: prompt(100),
    plan: ["small:m", "large:m"],
  },
  {
    what: "700,000 characters skip 128,000 tokens for a million",
    members: ["medium", "large"],
    body: prompt(700_000),
    plan: ["large:m", "medium:m window_too_small"],
  },
  {
    what: "an unknown window is never skipped",
    members: ["vague", "medium", "large"],
    body: prompt(700_000),
    plan: ["vague:m", "large:m", "medium:m window_too_small"],
  },
  {
    what: "a window that is exactly full is not too small",
    members: ["small"],
    body: prompt(32_000),
    plan: ["small:m"],
  },
  {
    what: "the answer that is asked for needs room too",
    members: ["small", "medium"],
    body: prompt(16_000, { max_tokens: 4001 }),
    plan: ["medium:m", "small:m window_too_small"],
  },
  {
    what: "but not where that would leave nobody",
    members: ["small", "medium"],
    body: prompt(16_000, { max_tokens: 128_000 }),
    plan: ["small:m", "medium:m"],
  },
  {
    what: "nobody is left where all are too small",
    members: ["small", "medium"],
    body: prompt(700_000),
    plan: ["small:m window_too_small", "medium:m window_too_small"],
  },
  {
    what: "a larger one that cools down is worth waiting for",
    members: ["small", "large"],
    body: prompt(700_000),
    cold: ["large"],
    plan: ["small:m window_too_small", "large:m cooldown"],
  },
])("$what", ({ members, body, plan, cold = [] }) => {
  const made = routeFor("pool:main", world(members, cold), { body });

  expect(outline(made)).toEqual(plan);
  expect(fitsNowhere(made) !== undefined).toBe(
    plan.every((line) => line.includes("window_too_small")),
  );
});

test("the reason and the notes name the figures", () => {
  const plan = routeFor("pool:main", world(["medium", "large"]), {
    body: prompt(700_000, { max_tokens: 1000 }),
  });

  expect(plan.candidates[1]?.reasons).toEqual([
    { layer: 7, code: "window_too_small", detail: "128000 < 176000 tokens needed", until_at: null },
  ]);
  expect(plan.notes).toEqual([
    "about 176000 tokens are needed: 175000 of input (estimated) and 1000 of output at most",
  ]);
});

test("a target that is addressed by itself is judged by its own upstream", () => {
  expect(outline(routeFor("small:m", world([]), { body: prompt(700_000) }))).toEqual(["small:m"]);
});

test.each([
  { card: { tools: false }, body: { tools: [{}] }, out: "capability:tools" },
  {
    card: { vision: false },
    body: { messages: [{ content: [{ type: "image_url" }] }] },
    out: "capability:vision",
  },
  {
    card: { json: false },
    body: { response_format: { type: "json_object" } },
    out: "capability:json",
  },
  { card: { tools: null }, body: { tools: [{}] }, out: undefined },
  { card: { tools: true }, body: { tools: [{}] }, out: undefined },
  { card: { tools: false }, body: {}, out: undefined },
])("what a card denies and the request needs is a reason: $out", ({ card, body, out }) => {
  const capabilities = { ...UNKNOWN_CARD.capabilities, ...card };
  const signals = () => ({ ...NO_SIGNALS, card: { ...UNKNOWN_CARD, capabilities } });
  const plan = routeFor("small:m", { ...world([]), signals }, { body });

  expect(plan.candidates[0]?.reasons[0]?.code).toBe(out);
});
