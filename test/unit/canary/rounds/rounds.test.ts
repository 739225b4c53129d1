import { expect, test } from "bun:test";

import type { ProbeResult } from "../../../../src/canary/contracts/contract.ts";
import type { Endpoint } from "../../../../src/canary/endpoints/endpoint.ts";
import { EMPTY_FLEET } from "../../../../src/canary/ladder/state.ts";
import { finishRound } from "../../../../src/canary/rounds/finish-round.ts";
import { localesOfRound } from "../../../../src/canary/rounds/locales.ts";
import { type ContractOutcome, resultOf } from "../../../../src/canary/rounds/outcome.ts";
import { NO_EVIDENCE } from "../../../../src/canary/rounds/passive.ts";
import { planRound, type RoundInput } from "../../../../src/canary/rounds/plan-round.ts";
import { nextStrength, STRONG } from "../../../../src/canary/rounds/probe-strength.ts";
import { playFleet } from "../ladder/played-fleet.ts";
import { anEndpoint } from "../probes/an-endpoint.ts";

const outcome = (result: ProbeResult, contract: ContractOutcome["contract"] = "ttft") => ({
  contract,
  locale: null,
  result,
  reason: null,
});

test.each([
  { results: ["pass", "pass"], comes: "pass" },
  { results: ["pass", "inconclusive"], comes: "inconclusive" },
  { results: ["pass", "transport"], comes: "transport" },
  { results: ["inconclusive", "transport"], comes: "transport" },
  { results: ["transport", "fail", "pass"], comes: "fail" },
  { results: [], comes: "inconclusive" },
] as const)("$results come to $comes", ({ results, comes }) => {
  expect(resultOf(results.map((result) => outcome(result)))).toBe(comes);
});

test("languages rotate, and the one that failed comes first until it passes", () => {
  const locales = ["pt", "en", "es", "fr", "de"];
  const asked = (round_n: number, repeat: string | null = null) =>
    localesOfRound(locales, { round_n, count: 2, repeat });

  expect([0, 1, 2].map((round_n) => asked(round_n))).toEqual([
    ["pt", "en"],
    ["es", "fr"],
    ["de", "pt"],
  ]);
  expect(asked(1, "pt")).toEqual(["pt", "es"]);
  expect(asked(1, "fr")).toEqual(["fr", "es"]);
  // A language that is no longer watched is not asked.
  expect(asked(1, "ja")).toEqual(["es", "fr"]);
});

const control = (endpoint: string, result: ProbeResult) => ({ endpoint, result });

test.each([
  { what: "both controls filter", rounds: [["fail", "fail"]], weak: false },
  { what: "one of two lets it through", rounds: [["pass", "fail"]], weak: true },
  { what: "one of three does once", rounds: [["pass", "fail", "fail"]], weak: false },
  {
    what: "one of three does twice in a row",
    rounds: [
      ["pass", "fail", "fail"],
      ["pass", "fail", "fail"],
    ],
    weak: true,
  },
  {
    what: "one of three does, then another",
    rounds: [
      ["pass", "fail", "fail"],
      ["fail", "pass", "fail"],
    ],
    weak: false,
  },
  {
    what: "all controls filter again",
    rounds: [
      ["pass", "pass"],
      ["fail", "fail"],
    ],
    weak: false,
  },
  {
    what: "no control could be asked since",
    rounds: [
      ["pass", "fail"],
      ["transport", "transport"],
    ],
    weak: true,
  },
  { what: "there are no controls", rounds: [[]], weak: false },
] as const)("the question about filters is weak: $weak, if $what", ({ rounds, weak }) => {
  let strength = STRONG;
  for (const round of rounds) {
    const results: readonly ProbeResult[] = round;
    strength = nextStrength(
      strength,
      results.map((result, at) => control(`control-${at}`, result)),
    );
  }

  expect(strength.is_weak).toBe(weak);
});

const HEAD = {
  round_id: "r1",
  round_n: 1,
  mode: "enforce",
  started_at: 0,
  ended_at: 1000,
  interval_ms: 60_000,
} as const;

test("with a weak question nobody is blamed for filtering, and nobody is cleared", () => {
  const probed = [
    { endpoint: anEndpoint({ key: "control" }), role: "control", result: "pass" },
    { endpoint: anEndpoint({ key: "filters" }), role: "watched", result: "fail" },
    { endpoint: anEndpoint({ key: "writes" }), role: "watched", result: "pass" },
  ] as const;

  const rows = finishRound(
    HEAD,
    probed.map(({ endpoint, role, result }) => {
      return { endpoint, role, is_production: true, outcomes: [outcome(result, "filter")] };
    }),
    STRONG,
  );

  expect(rows.map(({ endpoint, result }) => [endpoint, result])).toEqual([
    ["control", "pass"],
    ["filters", "inconclusive"],
    ["writes", "inconclusive"],
  ]);
  expect(rows[1]?.outcomes).toEqual([
    { contract: "filter", locale: null, result: "inconclusive", reason: "weak_probe" },
  ]);
});

const unsent = (reason: string): ContractOutcome => ({ ...outcome("transport"), reason });

test.each([
  {
    what: "refuses the credential",
    outcomes: [unsent("auth"), unsent("not_asked")],
    counts: false,
  },
  { what: "is out of credit", outcomes: [unsent("insufficient_credit")], counts: false },
  { what: "has no such model", outcomes: [unsent("model_not_found")], counts: false },
  { what: "is busy", outcomes: [unsent("rate_limit"), unsent("not_asked")], counts: true },
  { what: "answered before", outcomes: [outcome("pass"), unsent("model_not_found")], counts: true },
])("one that $what counts as capacity: $counts", ({ outcomes, counts }) => {
  const probed = {
    endpoint: anEndpoint(),
    role: "watched",
    is_production: true,
    outcomes,
  } as const;

  const [row] = finishRound(HEAD, [probed], STRONG);

  expect(row?.is_production).toBe(counts);
});

function planned(input: Partial<RoundInput>, endpoint: Endpoint = anEndpoint()) {
  const plan = planRound({
    round_n: 1,
    fleet: EMPTY_FLEET,
    endpoints: [{ endpoint, use: "watched" }],
    controls: [],
    locales: ["pt", "en", "es"],
    locales_per_round: 1,
    evidence: null,
    ...input,
  });
  return plan.map(({ endpoint: { key }, role, is_production, topics, settled }) => ({
    about: `${role} ${key}${is_production ? "" : ", no capacity"}`,
    asked: topics.map(({ contract, locale }) =>
      locale === null ? contract : `${contract} ${locale}`,
    ),
    settled: settled.map(({ contract }) => contract),
  }));
}

const ALL = ["ttft", "filter", "structured", "language en"];
const KEY = anEndpoint().key;

test("an endpoint is asked about all four contracts, controls before it and about filters only", () => {
  expect(planned({ controls: [anEndpoint({ key: "known" })] })).toEqual([
    { about: "control known, no capacity", asked: ["filter"], settled: [] },
    { about: `watched ${KEY}`, asked: ALL, settled: [] },
  ]);
});

test("a control that is watched is not blamed for filtering", () => {
  const [, watched] = planned({ controls: [anEndpoint()] });

  expect(watched?.asked).toEqual(["ttft", "structured", "language en"]);
});

test("what a person excluded is probed and no capacity; what is shut out for good is left alone", () => {
  const endpoint = anEndpoint();

  expect(planned({ endpoints: [{ endpoint, use: "excluded" }] })[0]?.about).toContain(
    "no capacity",
  );
  expect(planned({ endpoints: [{ endpoint, use: "off" }] })).toEqual([]);
});

test("a form is asked only of those who say that they fill one in", () => {
  const [plain] = planned({}, anEndpoint({ supported: ["temperature"] }));
  const [unknown] = planned({}, anEndpoint({ supported: null }));

  expect(plain?.asked).not.toContain("structured");
  expect(unknown?.asked).toContain("structured");
});

test("live traffic answers what it can, for those who are not suspected", () => {
  const live = { ...NO_EVIDENCE, timely: 5 };
  const evidence = new Map([["or:a/m@DeepInfra", live]]);
  const late = new Map([["or:a/m@DeepInfra", { ...live, late: 1 }]]);
  expect(planned({ evidence })[0]).toMatchObject({ asked: ALL.slice(1), settled: ["ttft"] });
  expect(planned({ evidence: late })[0]?.settled).toEqual([]);

  const fleet = playFleet();
  fleet.round({ results: { "deepinfra/fp8": "fail" }, locale: "es" });
  const [suspected] = planned({ evidence, fleet: fleet.fleet() });
  expect(suspected).toMatchObject({ asked: [...ALL.slice(0, 3), "language es"], settled: [] });
});

test("a name that two hosts answer to, or another one's, answers for neither", () => {
  const own = { endpoint: anEndpoint(), use: "watched" } as const;
  const other = anEndpoint({ key: "or:a/m@deepinfra/fp4", host: "deepinfra/fp4" });
  const live = { ...NO_EVIDENCE, timely: 5 };
  const settled = (endpoints: RoundInput["endpoints"], name: string) =>
    planned({ endpoints, evidence: new Map([[name, live]]) })[0]?.settled;

  expect(settled([own], "or:a/m@DeepInfra")).toEqual(["ttft"]);
  expect(settled([own, { endpoint: other, use: "off" }], "or:a/m@DeepInfra")).toEqual([]);
  expect(settled([own], "or:a/m@Novita")).toEqual([]);
  expect(settled([own], "or:a/other@DeepInfra")).toEqual([]);
  expect(settled([own], "or:a/m")).toEqual([]);
});
