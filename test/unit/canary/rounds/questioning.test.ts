import { expect, test } from "bun:test";

import type { ProbeResult } from "../../../../src/canary/contracts/contract.ts";
import type { PlannedEndpoint } from "../../../../src/canary/rounds/plan-round.ts";
import {
  endQuestioning,
  nextQuestion,
  startQuestioning,
  takeVerdict,
} from "../../../../src/canary/rounds/questioning.ts";
import { anEndpoint } from "../probes/an-endpoint.ts";

const PLANNED: PlannedEndpoint = {
  endpoint: anEndpoint(),
  role: "watched",
  is_production: true,
  topics: [
    { contract: "filter", locale: null },
    { contract: "language", locale: "pt" },
  ],
  settled: [{ contract: "ttft", locale: null, result: "pass", reason: "live_traffic" }],
};

/** Everything that is asked while the answers come out like this, and how it ends. */
function run(results: readonly ProbeResult[], planned: PlannedEndpoint = PLANNED) {
  let questioning = startQuestioning(planned);
  const asked: string[] = [];
  for (const result of results) {
    const question = nextQuestion(questioning);
    if (question === null) break;
    asked.push(`${question.topic.contract} ${question.attempt}`);
    questioning = takeVerdict(questioning, { result, reason: null });
  }
  const { outcomes } = endQuestioning(questioning);
  const ended = outcomes.map(({ contract, result }) => `${contract} ${result}`);
  return { asked, ended, isOver: nextQuestion(questioning) === null };
}

test.each<{ results: ProbeResult[]; asked: string[]; ended: string[] }>([
  {
    results: ["pass", "pass"],
    asked: ["filter 1", "language 1"],
    ended: ["ttft pass", "filter pass", "language pass"],
  },
  {
    results: ["fail", "pass", "pass", "fail", "fail"],
    asked: ["filter 1", "filter 2", "filter 3", "language 1", "language 2"],
    ended: ["ttft pass", "filter pass", "language fail"],
  },
  {
    results: ["transport", "inconclusive"],
    asked: ["filter 1", "language 1"],
    ended: ["ttft pass", "filter transport", "language inconclusive"],
  },
])("answers that $results are asked for as $asked", ({ results, asked, ended }) => {
  expect(run(results)).toEqual({ asked, ended, isOver: true });
});

test("questions that nobody could ask any more are not sent, and fail nobody", () => {
  expect(run(["fail"])).toEqual({
    asked: ["filter 1"],
    ended: ["ttft pass", "filter transport", "language transport"],
    isOver: false,
  });
});

test("a control that filters does what it is there for, and is not asked again", () => {
  const control = {
    ...PLANNED,
    role: "control",
    topics: PLANNED.topics.slice(0, 1),
    settled: [],
  } as const;

  expect(run(["fail"], control)).toEqual({
    asked: ["filter 1"],
    ended: ["filter fail"],
    isOver: true,
  });
});
