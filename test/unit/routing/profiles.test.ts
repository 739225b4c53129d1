import { describe, expect, test } from "bun:test";

import type { Profile } from "../../../src/routing/profile.ts";
import { NO_SIGNALS, type TargetSignals, UNKNOWN_CARD } from "../../../src/routing/signals.ts";
import type { RoutingWorld } from "../../../src/routing/world.ts";
import { anInstance, aWorld, outline, planFor, routeFor } from "./a-world.ts";

const profile = (changes: Partial<Profile> = {}): Profile => ({
  params: {},
  pool: null,
  allow: { max_price: null, providers: null },
  verify: "rescue",
  hold_back: false,
  ...changes,
});

const PROFILES = new Map([
  ["plain", profile()],
  ["cheap", profile({ pool: "cheap", params: { effort: "low", temperature: 0 } })],
  ["lost", profile({ pool: "gone" })],
  ["only-b", profile({ allow: { max_price: null, providers: ["B"] } })],
  ["only-groq", profile({ allow: { max_price: null, providers: ["groq"] } })],
  ["watched", profile({ verify: "observe", hold_back: true })],
  ["blind", profile({ verify: "off" })],
  ["capped", profile({ allow: { max_price: 2, providers: null } })],
]);

const world = (changes: Partial<Omit<RoutingWorld, "pools">> = {}) =>
  aWorld({
    instances: [
      anInstance("a", { type: "openai", models: ["m", "shared"], default_model: "m" }),
      anInstance("b", { type: "openai", models: ["shared"] }),
      anInstance("fast", { type: "groq", models: ["m"] }),
    ],
    pools: { main: ["a:m", "b:m"], cheap: ["b:m?temperature=1&seed=7"] },
    default_pool: "main",
    profiles: PROFILES,
    ...changes,
  });

describe("the profile of a request is the one named by", () => {
  test.each<{
    what: string;
    model?: string;
    block?: object;
    key?: string;
    standard?: string;
    chosen: string | null;
    goes: string[];
  }>([
    { what: "nobody", chosen: null, goes: ["a:m", "b:m"] },
    { what: "the default", standard: "cheap", chosen: "cheap", goes: ["b:m"] },
    {
      what: "the key, before the default",
      key: "plain",
      standard: "cheap",
      chosen: "plain",
      goes: ["a:m", "b:m"],
    },
    {
      what: "the model, before the key",
      model: "profile:cheap",
      key: "plain",
      chosen: "cheap",
      goes: ["b:m"],
    },
    {
      what: "the block, before the model",
      model: "profile:plain",
      block: { profile: "cheap" },
      key: "plain",
      chosen: "cheap",
      goes: ["b:m"],
    },
    {
      what: "the block, for a pool named by the model",
      model: "pool:main",
      block: { profile: "cheap" },
      chosen: "cheap",
      goes: ["a:m", "b:m"],
    },
    {
      what: "the default, for a target too",
      model: "a:m",
      standard: "cheap",
      chosen: "cheap",
      goes: ["a:m"],
    },
    { what: "an alias", model: "mini", chosen: "cheap", goes: ["b:m"] },
    {
      what: "the default, under a harness's prefix",
      model: "veriroute/auto",
      standard: "cheap",
      chosen: "cheap",
      goes: ["b:m"],
    },
  ])("$what", ({ model = "auto", block = {}, key = null, standard = null, chosen, goes }) => {
    const aliases = { mini: "profile:cheap" };
    const plan = routeFor(model, world({ default_profile: standard, aliases }), {
      block,
      key_profile: key,
    });

    expect(plan.profile).toBe(chosen);
    expect(outline(plan)).toEqual(goes);
  });

  test.each<{
    what: string;
    model?: string;
    block?: object;
    key?: string;
    standard?: string;
    refused: object;
  }>([
    {
      what: "the model, unknown",
      model: "profile:chaep",
      refused: {
        code: "model_not_found",
        param: "model",
        message: expect.stringContaining("there is no profile `chaep`; known: `cheap`"),
      },
    },
    {
      what: "the block, unknown",
      block: { profile: "x" },
      refused: { code: "model_not_found", param: "veriroute.profile" },
    },
    {
      what: "the key, gone since",
      key: "old",
      standard: "cheap",
      refused: {
        code: "no_target_available",
        message: "the key's profile is `old`, which does not exist; define it, or choose another",
      },
    },
    {
      what: "the default, gone since",
      standard: "old",
      refused: { code: "no_target_available", param: null },
    },
    {
      what: "the model, whose pool is gone",
      model: "profile:lost",
      refused: {
        code: "no_target_available",
        message:
          "profile `lost` leads to `gone`, which is no pool; add `[pools.gone]` or change the profile",
      },
    },
  ])("$what: refused", ({ model = "auto", block = {}, key = null, standard = null, refused }) => {
    const plan = planFor(model, world({ default_profile: standard }), { block, key_profile: key });

    expect(plan).toMatchObject({ kind: "refuse", ...refused });
  });

  test("whom, the plan's notes say", () => {
    const notes = [
      routeFor("auto", world({ default_profile: "cheap" })),
      routeFor("auto", world(), { key_profile: "plain" }),
      routeFor("profile:cheap", world()),
      routeFor("profile:plain", world(), { block: { profile: "cheap" } }),
    ].map((plan) => plan.notes);

    expect(notes).toEqual([
      ["`auto` is pool `cheap`, by profile `cheap`", "profile `cheap`, the default"],
      ["`auto` is pool `main`, the default", "profile `plain`, that of the client's key"],
      ["`auto` is pool `cheap`, by profile `cheap`", "profile `cheap`, as the request asks"],
      [
        "`profile:plain` is ignored: `veriroute.profile` comes first",
        "`auto` is pool `cheap`, by profile `cheap`",
        "profile `cheap`, as the request asks",
      ],
    ]);
  });
});

test("parameters of a profile beat the target's, and the call beats both", () => {
  const sent = (body: Record<string, unknown>) =>
    routeFor("profile:cheap", world(), { body }).candidates[0]?.member.params;

  expect(sent({})).toEqual({ seed: 7, effort: "low", temperature: 0 });
  expect(sent({ temperature: 0.5 })).toEqual({ seed: 7, effort: "low" });
  expect(sent({ reasoning_effort: "high" })).toEqual({ seed: 7, temperature: 0 });
  expect(routeFor("pool:cheap", world()).candidates[0]?.member.params).toEqual({
    seed: 7,
    temperature: 1,
  });
});

test("a session is held by a target whatever parameters a profile adds", () => {
  const [first] = routeFor("profile:cheap", world()).candidates;

  expect(first?.id).toBe("b:m?seed=7&temperature=1");
});

test.each<{ model: string; goes: string[] }>([
  { model: "profile:only-b", goes: ["b:m", "a:m profile_excluded"] },
  { model: "profile:only-groq", goes: ["a:m profile_excluded", "b:m profile_excluded"] },
])("$model lets only its providers serve", ({ model, goes }) => {
  const plan = routeFor(model, world());

  expect(outline(plan)).toEqual(goes);
  expect(String(plan.candidates.at(-1)?.reasons[0]?.detail)).toMatch(
    /^profile `only-\w+` allows only `\w+`$/,
  );
});

test("a name that several list goes to one that the profile allows", () => {
  const [plan, other] = [{ profile: "only-b" }, {}].map((block) =>
    routeFor("shared", world(), { block }),
  );

  expect([plan, other].flatMap((one) => (one ? outline(one) : []))).toEqual([
    "b:shared",
    "a:shared",
  ]);
});

const priced =
  (input_usd: number | null, output_usd: number | null, more: object = {}) =>
  (): TargetSignals => ({
    ...NO_SIGNALS,
    card: { ...UNKNOWN_CARD, price: { input_usd, output_usd, cached_input_usd: null, ...more } },
  });

test.each<{ what: string; signals: () => TargetSignals; out: string | null; words?: string }>([
  { what: "two prices at the limit", signals: priced(2, 2), out: null },
  { what: "a free model", signals: priced(0, 0), out: null },
  {
    what: "an output above it",
    signals: priced(1, 2.5),
    out: "profile `capped` allows $2 per million tokens at most, and it costs $2.5",
  },
  {
    what: "an input above it",
    signals: priced(3, 1),
    out: "profile `capped` allows $2 per million tokens at most, and it costs $3",
  },
  {
    what: "an unknown output price",
    signals: priced(1, null),
    out: "profile `capped` allows $2 per million tokens at most, and its price is not known",
  },
  {
    what: "no price at all",
    signals: priced(null, null),
    out: "profile `capped` allows $2 per million tokens at most, and its price is not known",
  },
  {
    what: "a higher price for longer prompts than this",
    signals: priced(1, 1, { long_prompt: { above_tokens: 1000, input_usd: 9, output_usd: 9 } }),
    out: null,
  },
  {
    what: "a higher price for a prompt as long as this",
    signals: priced(1, 1, { long_prompt: { above_tokens: 10, input_usd: 9, output_usd: 9 } }),
    out: "profile `capped` allows $2 per million tokens at most, and it costs $9",
  },
])("a highest price of 2 and $what: $out", ({ signals, out }) => {
  const body = { messages: [{ role: "user", content: "x".repeat(400) }] };
  const plan = routeFor("a:m", world({ signals }), { block: { profile: "capped" }, body });

  expect(plan.candidates[0]?.reasons).toEqual(
    out === null ? [] : [{ layer: 0, code: "profile_excluded", detail: out, until_at: null }],
  );
});

const PRICES: Readonly<Record<string, () => TargetSignals>> = {
  "cheap/one": priced(1, 1),
  "cheap/two": priced(1, 2),
  "dear/one": priced(1, 3),
};
const signalsByName: RoutingWorld["signals"] = ({ model }) =>
  (PRICES[model] ?? priced(null, null))();

test.each<{ models: unknown; out: string | null }>([
  { models: ["cheap/one"], out: null },
  {
    models: ["cheap/one", "dear/one"],
    out: "profile `capped` allows $2 per million tokens at most, and it costs $3: `models` has `dear/one`",
  },
  {
    models: [7],
    out: "profile `capped` allows $2 per million tokens at most, and its price is not known: `models` holds what is no name",
  },
])("what a gateway may fall back to is held to the highest price: $models", ({ models, out }) => {
  const instances = [anInstance("openrouter")];
  const block = { profile: "capped" };
  const plan = routeFor("openrouter:cheap/two", world({ instances, signals: signalsByName }), {
    block,
    models,
  });

  expect(plan.candidates[0]?.reasons).toEqual(
    out === null ? [] : [{ layer: 0, code: "profile_excluded", detail: out, until_at: null }],
  );
});

test.each([
  { asked: "profile:plain", scrutiny: { verify: "rescue", hold_back: false }, note: null },
  { asked: "a:m", scrutiny: { verify: "rescue", hold_back: false }, note: null },
  {
    asked: "profile:watched",
    scrutiny: { verify: "observe", hold_back: true },
    note: "bad answers are recorded, not replaced: the profile's `verify` is `observe`",
  },
  {
    asked: "profile:blind",
    scrutiny: { verify: "off", hold_back: false },
    note: "answers are not judged: the profile's `verify` is `off`",
  },
])("a plan for $asked says how closely answers are looked at", ({ asked, scrutiny, note }) => {
  const plan = routeFor(asked, world());

  expect(plan.scrutiny).toEqual<unknown>(scrutiny);
  expect(plan.notes.filter((line) => line.includes("`verify`"))).toEqual(
    note === null ? [] : [note],
  );
});
