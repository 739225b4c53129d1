import { expect, test } from "bun:test";

import { type Cover, missingCovers, type Report } from "../support/reports.ts";

const MESSAGES = "Messages and Responses have no routes yet";

/** The trigger itself, through the running app: another target answers, then none is left. */
const LIVE = "e2e/reported-failures.test.ts";
const BREAKER = "e2e/breaker.test.ts";

const live = (...names: string[]): Report => ({
  covers: names.map((name): Cover => [LIVE, name]),
});

/** Faults of gateways in retrying, moving on, benching, counting and naming, by their case id. */
const REPORTS: Readonly<Record<string, Report>> = {
  "usage-cost-02": {
    covers: [
      ["e2e/stream-options.test.ts", "an upstream that refuses what we add is asked again without"],
      ["e2e/stream-options.test.ts", "of several streams at once each is asked for again"],
    ],
  },
  "usage-cost-03": {
    covers: [["unit/protocol/openai/usage.test.ts", "in a choice"]],
    left: "The frame passes as it is: usage is not told a second time at top level.",
  },
  "usage-cost-05": {
    covers: [
      ["unit/protocol/openai/usage.test.ts", "with the cache beside the prompt, as Anthropic"],
      ["unit/catalog/cost.test.ts", "a prompt that came from the cache almost whole"],
    ],
    left: `${MESSAGES}, so no usage is rewritten for a client of another dialect.`,
  },
  "usage-cost-06": {
    covers: [
      ["unit/catalog/cost.test.ts", "cached tokens as part of the input, not beside it"],
      ["unit/catalog/cost.test.ts", "more cached tokens than there were tokens as all of them"],
    ],
  },
  "retry-after-01": {
    covers: [
      [LIVE, "retry-after-01: a date"],
      ["unit/protocol/retry-after.test.ts", "Wednesday, 21-Oct-26 07:28:00 GMT"],
      ["unit/protocol/retry-after.test.ts", "Wed Oct 21 07:28:00 2026"],
      ["unit/protocol/retry-after.test.ts", "Wed, 21 Oct 2020 07:28:00 GMT"],
    ],
  },
  "retry-after-02": live("retry-after-02: \\`", "a fraction", "thousands of years"),
  "retry-after-04": live("the wait of a minute's quota", "retry-after-04: a day's quota"),
  "retry-after-05": live("retry-after-05: a reset hours away, in words"),
  "credit-01": {
    covers: [
      [LIVE, "credit-01: a 429"],
      ["support/failure-rows.ts", "a 429 that is billing"],
      ["e2e/balances.test.ts", "an account that a vendor calls empty is known to be empty at once"],
    ],
    left: "The bench ends after ten minutes with one call, as for every empty account.",
  },
  "credit-02": {
    covers: [
      [LIVE, "credit-02: a 400"],
      [LIVE, "credit-02: a 402"],
      ["unit/health/classify-reports.test.ts", "credit-02: another 400 stays one"],
      ["support/failure-rows.ts", "a 400 that is credit"],
    ],
  },
  "credit-04": live("credit-04: a 429 typed as a rate limit"),
  "credit-05": {
    covers: [
      [LIVE, "credit-05: behind an aggregator"],
      [
        "e2e/cooldowns.test.ts",
        "an upstream's empty account behind an aggregator is not the aggregator's",
      ],
    ],
  },
  "credit-07": {
    covers: [["e2e/cooldowns.test.ts", "an empty account benches its other models"]],
    left: "Keys of this router have no budget; every refusal of ours is an error before a stream begins.",
  },
  "context-length-01": live("context-length-01: ${error.message}"),
  "context-length-03": live("context-length-03: throttling in words of tokens"),
  "context-length-04": live("context-length-04: input tokens per minute"),
  "context-length-06": live("context-length-06: larger than a minute of the plan"),
  "context-length-07": {
    covers: [
      ["e2e/shapes-empty.test.ts", "a window that was full before any text is a prompt too long"],
      ["e2e/overflow.test.ts", "tokens of prompt for a window of 8192 is an overflow"],
    ],
    left: "(b) is not served: it moves to a larger window, or is a 400, as any other overflow.",
  },
  "model-routing-01": live("a model that is gone", "an id that is none"),
  "model-routing-02": live("model-routing-02: a 401"),
  "model-routing-04": {
    covers: [
      ["e2e/paths.test.ts", "is the model `$id`, as the list shows it"],
      ["e2e/errors-api-routes.test.ts", "an unknown route"],
    ],
  },
  "model-routing-05": {
    covers: [
      [
        "unit/routing/models-list.test.ts",
        "what is listed reaches the upstream under the upstream",
      ],
      ["unit/routing/make-plan.test.ts", "veriroute/veriroute/o3"],
    ],
  },
  "model-routing-07": {
    covers: [
      ["unit/routing/models-list.test.ts", "models $configured in the config and $listed upstream"],
      ["e2e/fidelity.test.ts", "a stream reaches the client byte for byte"],
    ],
    left: "`model` in answers is the upstream's own bytes, stream or not.",
  },
  "model-routing-08": {
    covers: [
      ["e2e/client-errors.test.ts", "a model that no provider has is 404 before any attempt"],
      [
        "e2e/client-errors.test.ts",
        "with nothing left to try the client is told of every candidate",
      ],
    ],
    left: MESSAGES,
  },
  "failover-02": {
    covers: [
      ["e2e/edits-rescue.test.ts", "an overload as an error event, in a stream"],
      ["e2e/failures.test.ts", "opens its stream with a server error"],
    ],
    left: MESSAGES,
  },
  "failover-03": {
    covers: [
      ["support/failure-rows.ts", "a 429"],
      ["e2e/failures.test.ts", "refuses the connection"],
      ["e2e/failures.test.ts", "closes a stream before its content"],
      ["e2e/failures.test.ts", "answers 200 with nothing at all"],
    ],
  },
  "failover-05": live("failover-05: a target that the first failure benched is not asked again"),
  "failover-06": {
    covers: [
      [LIVE, "failover-06: a pool of an aggregator's upstream"],
      [LIVE, "failover-06: the whole account"],
      ["e2e/cooldowns.test.ts", "a limit of the whole account benches its other models"],
    ],
  },
  "failover-08": live("failover-08: a failed call upstream", "failover-08: a busy worker upstream"),
  "failover-09": {
    covers: [
      ["binary/flapping.test.ts", "REQUESTS * 2 * MAX_ATTEMPTS"],
      ["binary/sdk-errors.test.ts", "it does not repeat what the router has tried already"],
      ["binary/sdk-errors.test.ts", "it comes back when the router says when"],
    ],
  },
  "circuit-breaker-02": {
    covers: [
      [BREAKER, "one request at a time gets through an open breaker, marked"],
      ["unit/health/admission.test.ts", "nobody is let through to what a vendor, a key, a person"],
      ["e2e/cooldowns.test.ts", "is never a last resort"],
    ],
  },
  "circuit-breaker-03": {
    covers: [
      [LIVE, "circuit-breaker-03: twenty filtered prompts leave the target as it was"],
      [BREAKER, "a prompt that a vendor's filter stops"],
      [BREAKER, "clients that leave open nothing"],
    ],
  },
  "circuit-breaker-05": {
    covers: [
      [BREAKER, "of a hundred requests at once one is the trial, the others go elsewhere"],
      [BREAKER, "a trial whose client leaves makes way for the next"],
    ],
  },
  "circuit-breaker-06": {
    covers: [
      ["unit/health/breaker.test.ts", "five failures in a row"],
      [LIVE, "circuit-breaker-06: a wait of 15 s is kept whole, however often somebody asks"],
    ],
  },
  "circuit-breaker-08": {
    covers: [[BREAKER, "a trial that meets a rate limit shows the rate limit, no longer the"]],
  },
  "circuit-breaker-09": {
    covers: [
      ["binary/explain.test.ts", "why it is out and when it is back"],
      [BREAKER, "an operator's clearing closes breakers and is written down"],
      ["unit/api/inventory.test.ts", "never a secret"],
    ],
  },
};

test.each(Object.entries(REPORTS).map(([id, report]) => ({ id, report })))(
  "$id is held off by tests that exist, or says why not",
  async ({ report }) => {
    expect(await missingCovers(report)).toEqual([]);
    expect(report.covers.length > 0 || report.left !== undefined).toBe(true);
  },
);
