import { describe, expect, test } from "bun:test";

import { configOf, problemsOf, warningsOf } from "./load.ts";

const BOX =
  '[providers.box]\ntype = "vllm"\nbase_url = "http://127.0.0.1:1/v1"\n[pools]\nmain = "box:m"\n';
const NONE = { storedProfiles: new Set<string>() };

test("a profile is read whole, and what it leaves out has a meaning of its own", () => {
  const { profiles } = configOf(
    `${BOX}[profiles.full]\npool = "main"\nparams = { effort = "low", temperature = 0.2, logprobs = true, stop = ["a"] }\nallow = { max_price = 1.5, providers = ["box", "openai"] }\nverify = "observe"\nhold_back = true\n[profiles.empty]\n`,
    NONE,
  );

  expect(profiles).toEqual({
    full: {
      pool: "main",
      params: { effort: "low", temperature: 0.2, logprobs: true, stop: ["a"] },
      allow: { max_price: 1.5, providers: ["box", "openai"] },
      verify: "observe",
      hold_back: true,
    },
    empty: { params: {}, allow: {}, verify: "rescue", hold_back: false },
  });
});

test("variables reach into a profile", () => {
  const { profiles } = configOf(`${BOX}[profiles.frugal]\npool = "main"\n`, {
    ...NONE,
    env: {
      VERIROUTE_PROFILES_FRUGAL_ALLOW_MAX_PRICE: "0.5",
      VERIROUTE_PROFILES_FRUGAL_ALLOW_PROVIDERS: "box,openai",
      VERIROUTE_PROFILES_FRUGAL_PARAMS: '{"effort":"low"}',
    },
  });

  expect(profiles["frugal"]).toEqual({
    pool: "main",
    params: { effort: "low" },
    allow: { max_price: 0.5, providers: ["box", "openai"] },
    verify: "rescue",
    hold_back: false,
  });
});

describe("a mistake is named with its key and its fix", () => {
  test.each<{ text: string; says: string }>([
    {
      text: '[profiles.x]\npool = "mian"',
      says: "profiles.x.pool: there is no pool `mian`; did you mean `main`?",
    },
    {
      text: '[profiles.x]\nallow = { providers = ["bxo"] }',
      says: "profiles.x.allow.providers.0: `bxo` is neither an instance nor a provider type; did you mean `box`?",
    },
    {
      text: "[profiles.x]\nparams = { model = 1 }",
      says: "profiles.x.params.model: a profile cannot set `model`",
    },
    {
      text: "[profiles.x]\nparams = { weight = 1 }",
      says: "profiles.x.params.weight: a profile cannot set `weight`; write it into a pool's target",
    },
    {
      text: "[profiles.x]\nparams = { a = { b = 1 } }",
      says: "profiles.x.params.a: expected a text, a number, true, false or a list of texts, got a table",
    },
    {
      text: "[profiles.x]\nallow = { max_price = -1 }",
      says: "profiles.x.allow.max_price: expected a number from 0 to 1000000, got -1",
    },
    { text: "[profiles.x]\nallow = { price = 1 }", says: "profiles.x.allow.price: unknown key" },
    {
      text: '[routing]\ndefault_profile = "x"',
      says: "routing.default_profile: there is no profile `x`; no profile is defined",
    },
    {
      text: '[aliases]\nmini = "profile:x"',
      says: "aliases.mini: there is no profile `x`; no profile is defined",
    },
    {
      text: '[allowlist]\ntargets = ["bxo:m"]',
      says: "allowlist.targets.0: `bxo` is neither an instance nor a provider type; did you mean `box`?",
    },
    {
      text: '[allowlist]\ntargets = ["box"]',
      says: "allowlist.targets.0: `box` names no model; write `box:*` to allow them all",
    },
    {
      text: '[routing]\ndefault_strategy = "cheapest"',
      says: "routing.default_strategy: expected one of `priority`",
    },
    {
      text: '[routing]\non_refusal = "retry"',
      says: "routing.on_refusal: expected one of `return`, `failover`",
    },
    {
      text: '[pools.p]\ntargets = ["box:m"]\nstrategy = "round-robin"',
      says: "did you mean `round_robin`?",
    },
    {
      text: '[pools.p]\ntargets = ["box:m"]\naffinity = "sticky"',
      says: "pools.p.affinity: expected one of `session`, `none`",
    },
  ])("$says", ({ text, says }) => {
    const [problem, ...more] = problemsOf(`${BOX}${text}`, NONE);

    expect(problem).toContain(says);
    expect(more).toEqual([]);
  });

  test.each([
    "weight=-1",
    "weight=NaN",
    "weight=heavy",
    "weight=true",
    "weight=1e3",
    "order=-1",
    "order=first",
  ])("box:m?%s", (param) => {
    const [name = "", value = ""] = param.split("=");
    const [problem] = problemsOf(`${BOX}other = "box:m?${param}"`, NONE);

    expect(problem).toContain("pools.other.targets.0: ");
    expect(problem).toContain(`\`${name}\` must be a number of at least 0, not `);
    expect(problem).toContain(value);
  });

  test("all of them at once", () => {
    const text = `${BOX}p = ["nobody:m", "box:m?weight=-1&order=x"]\n[profiles.x]\npool = "y"\n[allowlist]\ntargets = ["z:m"]\n[routing]\ndefault_profile = "q"\n`;

    expect(problemsOf(text, NONE)).toHaveLength(6);
  });
});

test.each(["weight=0", "weight=0.5", "weight=3&order=1", "order=0"])(
  "box:m?%s is fine",
  (params) => {
    expect(problemsOf(`${BOX}other = "box:m?${params}"`, NONE)).toEqual([]);
  },
);

describe("a default profile that the file does not define", () => {
  const text = `${BOX}[routing]\ndefault_profile = "stored"\n`;

  test("is fine where the store has it", () => {
    expect(problemsOf(text, { storedProfiles: new Set(["stored"]) })).toEqual([]);
  });

  test("is a warning where nobody has looked into the store", () => {
    expect(problemsOf(text)).toEqual([]);
    expect(warningsOf(text)).toEqual([
      "veriroute.toml:7:1: routing.default_profile: no profile `stored` is defined here; it must exist in the store; add `[profiles.stored]`, or make it through the admin API",
    ]);
  });

  test("and is gone from the store is passed over where the store chose it", () => {
    const given = { ...NONE, overrides: { "routing.default_profile": '"gone"' } };

    expect(configOf(BOX, given).routing.default_profile).toBeUndefined();
    expect(warningsOf(BOX, given)[0]).toContain("there is no profile `gone`");
  });
});
