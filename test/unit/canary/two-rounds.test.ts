import { expect, test } from "bun:test";

import { judgeReply } from "../../../src/canary/contracts/judge-reply.ts";
import type { Endpoint } from "../../../src/canary/endpoints/endpoint.ts";
import { readListing } from "../../../src/canary/endpoints/listing.ts";
import { applyRound } from "../../../src/canary/ladder/apply-round.ts";
import { suspensionsInForce } from "../../../src/canary/ladder/in-force.ts";
import { EMPTY_FLEET, type Fleet } from "../../../src/canary/ladder/state.ts";
import { buildProbe, type Probe } from "../../../src/canary/probes/probe.ts";
import type { AnsweredReply } from "../../../src/canary/probes/reply.ts";
import { finishRound, type ProbedEndpoint } from "../../../src/canary/rounds/finish-round.ts";
import { planRound } from "../../../src/canary/rounds/plan-round.ts";
import {
  endQuestioning,
  nextQuestion,
  startQuestioning,
  takeVerdict,
} from "../../../src/canary/rounds/questioning.ts";
import type { CanaryMode, SuspensionRow } from "../../../src/canary/rows.ts";
import { PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { loadLanguageScores } from "../../../src/verify/language/detector.ts";
import { interleave, TEXTS } from "../verify/language/texts.ts";
import { aReply } from "./probes/an-endpoint.ts";

const scores = await loadLanguageScores();
const INTERVAL = 30 * 60_000;
const START = Date.UTC(2026, 4, 1);

const ILL = ["mixes", "stray", "slow", "filters", "breaks-json"];
const WELL = ["well-1", "well-2", "well-3"];

/** What a sound host answers. */
function soundText({ contract, locale }: Probe): string {
  if (contract === "structured") {
    return '{"name":"Ana","age":34,"level":"plus","interests":["chess","maps"]}';
  }
  return contract === "language" ? (TEXTS[locale ?? ""] ?? "") : (TEXTS["en"] ?? "");
}

const FAULTS: Readonly<Record<string, (probe: Probe, text: string) => Partial<AnsweredReply>>> = {
  mixes: ({ contract, locale }, text) =>
    contract === "language" && locale === "pt" ? { text: interleave(text, TEXTS["es"] ?? "") } : {},
  // Nineteen of twenty.
  stray: ({ round_n, attempt, contract }, text) =>
    contract === "structured" || (round_n * 3 + attempt) % 20 === 0 ? {} : { text: `，${text}` },
  slow: () => ({ first_text_ms: 11_000, duration_ms: 12_000 }),
  filters: ({ contract }) =>
    contract === "filter"
      ? { text: "", first_text_ms: null, answer: { ...PLAIN_ANSWER, finish: "content_filter" } }
      : {},
  "breaks-json": ({ contract }, text) =>
    contract === "structured" ? { text: text.slice(0, -9) } : {},
};

/** The verdict on the answer of a host, which has the fault of its name if it is one of `ill`. */
function answer(endpoint: Endpoint, planned: Probe, ill: readonly string[]) {
  const text = soundText(planned);
  const host = endpoint.host ?? "";
  const fault = ill.includes(host) ? FAULTS[host.replace(/-\d$/, "")]?.(planned, text) : {};
  return judgeReply(planned, aReply({ answered_by: host, text, ...fault }), scores);
}

/** Hosts of one model behind a gateway, asked round by round. */
function playGateway(
  hosts: readonly string[],
  mode: CanaryMode,
  locales: readonly string[] = ["pt"],
) {
  const read = readListing(
    { data: { endpoints: hosts.map((tag) => ({ tag, provider_name: tag })) } },
    { instance: "or", model: "a/m" },
  );
  if (!read.ok) throw new Error(read.reason);
  let fleet: Fleet = EMPTY_FLEET;
  const events: SuspensionRow[] = [];

  return {
    events,
    ignored: () =>
      suspensionsInForce(fleet, mode, START + fleet.last_round_n * INTERVAL).map(
        ({ host }) => host,
      ),

    round(ill: readonly string[]): void {
      const round_n = fleet.last_round_n + 1;
      const ended_at = START + round_n * INTERVAL;
      const plan = planRound({
        endpoints: read.ok ? read.endpoints.map((endpoint) => ({ endpoint, use: "watched" })) : [],
        round_n,
        fleet,
        locales,
        controls: [],
        locales_per_round: 1,
        evidence: null,
      });
      const probed = plan.map((planned): ProbedEndpoint => {
        let questioning = startQuestioning(planned);
        for (let next = nextQuestion(questioning); next; next = nextQuestion(questioning)) {
          const { topic, attempt } = next;
          const asked = buildProbe(planned.endpoint, topic, { round_n, attempt });
          questioning = takeVerdict(questioning, answer(planned.endpoint, asked, ill));
        }
        return endQuestioning(questioning);
      });
      const head = {
        round_id: `r${round_n}`,
        round_n,
        mode,
        started_at: ended_at - 60_000,
        ended_at,
      };
      const rows = finishRound({ ...head, interval_ms: INTERVAL }, probed, fleet.strength);
      const applied = applyRound(fleet, rows);
      fleet = applied.fleet;
      events.push(...applied.events.filter(({ kind }) => kind !== "appeared"));
    },
  };
}

const WHY = {
  mixes: "language: code_mixing (pt, es)",
  stray: "ttft: stray_leading_token; language: stray_leading_token (pt)",
  slow: "ttft: too_slow",
  filters: "filter: content_filter",
  "breaks-json": "structured: structured_invalid",
};

test("two rounds suspend the hosts that are ill, each for what it does, and no other", () => {
  const gateway = playGateway([...ILL, ...WELL], "enforce");

  gateway.round(ILL);
  expect(gateway.ignored()).toEqual([]);
  gateway.round(ILL);

  expect(new Set(gateway.ignored())).toEqual(new Set(ILL));
  expect(
    Object.fromEntries(gateway.events.map(({ host, kind, detail }) => [host, `${kind} ${detail}`])),
  ).toEqual(
    Object.fromEntries(Object.entries(WHY).map(([host, why]) => [host, `suspended ${why}`])),
  );
});

test("in observe mode the same is said, and nobody is left out", () => {
  const gateway = playGateway([...ILL, ...WELL], "observe");

  gateway.round(ILL);
  gateway.round(ILL);

  expect(gateway.ignored()).toEqual([]);
  expect(gateway.events.map(({ kind, host }) => `${kind} ${host}`).toSorted()).toEqual(
    ILL.map((host) => `would_suspend ${host}`).toSorted(),
  );
});

test("two clean rounds bring them back", () => {
  const gateway = playGateway([...ILL, ...WELL], "enforce");
  for (const ill of [ILL, ILL, [], []]) gateway.round(ill);

  expect(gateway.ignored()).toEqual([]);
});

test("where nearly all are ill, two are left to serve", () => {
  const hosts = [...ILL, "well-1"];
  const gateway = playGateway(hosts, "enforce");
  for (let round = 0; round < 4; round++) gateway.round(ILL);

  expect(hosts.length - gateway.ignored().length).toBe(2);
  expect(gateway.events.filter(({ kind }) => kind === "floor_alert")).toHaveLength(1);
});

test("a host cannot wait for another language: the one it failed in is asked again", () => {
  const gateway = playGateway(["mixes", ...WELL], "enforce", ["pt", "en", "de", "fr"]);
  // Portuguese has its turn in the fourth round, and but for the repetition again in the eighth.
  for (let round = 0; round < 5; round++) gateway.round(["mixes"]);

  expect(gateway.ignored()).toEqual(["mixes"]);
});
