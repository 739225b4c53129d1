import { afterAll, describe, expect, test } from "bun:test";

import { startVendors } from "../support/clients/vendors.ts";
import { startRouter } from "../support/router.ts";

const MODELS = ["claude-haiku-4-5", "claude-sonnet-4-6", "claude-sonnet-5-5"] as const;
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

const vendors = startVendors();
const router = await startRouter({
  config: `[providers.claude]
type = "anthropic"
base_url = "${vendors.base_url}"
api_key = "vendor-key"

${MODELS.map((model) => `[pools.${model}]\ntargets = ["claude:${model}"]\n`).join("\n")}
${EFFORTS.map((effort) => `[profiles.${effort}]\nparams = { effort = "${effort}" }\n`).join("\n")}`,
});
afterAll(async () => {
  await router[Symbol.asyncDispose]();
  vendors[Symbol.dispose]();
});

const messages = [{ role: "user", content: "Say hello" }];

/** What the vendor, which turns down what Anthropic's API turns down, accepted in the end. */
async function accepted(path: string, body: object) {
  const before = vendors.requests.length;
  const response = await router.post(path, body);
  const answer = await response.text();
  const sent = vendors.requests
    .slice(before)
    .filter(({ method }) => method === "POST")
    .map((request) => JSON.parse(new TextDecoder().decode(request.body)));
  const { thinking, output_config, max_tokens } = sent.at(-1) ?? {};
  return {
    status: response.status,
    answer,
    calls: sent.length,
    thinking,
    output_config,
    max_tokens,
  };
}

const ENABLED = { type: "enabled", budget_tokens: 2000 };
const ADAPTIVE = { type: "adaptive" };
const OFF = { type: "disabled" };
const BETWEEN = { type: "between_tools" };

/** The nine payloads that were measured: what reaches each generation for what its client wrote. */
const PAYLOADS = [
  { model: "claude-haiku-4-5", asked: ENABLED, sent: ENABLED },
  { model: "claude-haiku-4-5", asked: ADAPTIVE, sent: "enabled" },
  { model: "claude-haiku-4-5", asked: OFF, sent: OFF },
  { model: "claude-sonnet-4-6", asked: ENABLED, sent: ENABLED },
  { model: "claude-sonnet-4-6", asked: ADAPTIVE, sent: ADAPTIVE },
  { model: "claude-sonnet-4-6", asked: OFF, sent: OFF },
  { model: "claude-sonnet-5-5", asked: ENABLED, sent: ADAPTIVE },
  { model: "claude-sonnet-5-5", asked: ADAPTIVE, sent: ADAPTIVE },
  { model: "claude-sonnet-5-5", asked: OFF, sent: BETWEEN },
] as const;

describe.each([
  { how: "of a pool", prefix: "pool:" },
  { how: "named by the client", prefix: "claude:" },
])("a model $how", ({ prefix }) => {
  test.each(PAYLOADS)("$model takes $asked.type", async ({ model, asked, sent }) => {
    const body = { model: prefix + model, max_tokens: 4000, messages, thinking: asked };

    const { status, answer, calls, thinking } = await accepted("/v1/messages", body);

    expect({ status, answer }).toMatchObject({ status: 200 });
    expect(calls).toBeLessThanOrEqual(2);
    if (sent === "enabled") expect(thinking).toMatchObject({ type: "enabled" });
    else expect(thinking).toEqual(sent);
  });
});

const TOO_SMALL = [500, 1024, 1500, 9000];

test.each(MODELS.flatMap((model) => TOO_SMALL.map((cap) => ({ model, cap }))))(
  "$model of a pool takes a budget of 8000 under a cap of $cap",
  async ({ model, cap }) => {
    const thinking = { type: "enabled", budget_tokens: 8000 };
    const body = { model: `pool:${model}`, max_tokens: cap, messages, thinking };

    const { status, calls, max_tokens } = await accepted("/v1/messages", body);

    expect({ status, calls, max_tokens }).toEqual({ status: 200, calls: 1, max_tokens: cap });
  },
);

test("who names a model gets its vendor's word on a budget that does not fit", async () => {
  const thinking = { type: "enabled", budget_tokens: 8000 };
  const body = { model: "claude:claude-sonnet-4-6", max_tokens: 1500, messages, thinking };

  const { status, answer, calls } = await accepted("/v1/messages", body);

  expect({ status, calls }).toEqual({ status: 400, calls: 1 });
  expect(JSON.parse(answer).error).toMatchObject({
    type: "invalid_request_error",
    message: "`claude`: `max_tokens` must be greater than `thinking.budget_tokens`",
  });
});

/** What a Messages client itself says beside the effort of a profile. */
const NOTHING = { name: "nothing", said: {}, told: {} };
const FORMAT = { format: { type: "json_schema", schema: {} } };
const A_FORMAT = {
  name: "a format",
  said: { output_config: FORMAT },
  told: { output_config: expect.objectContaining(FORMAT) },
};
const A_BUDGET = { name: "a budget", said: { thinking: ENABLED }, told: {} };

test.each(
  MODELS.flatMap((model) =>
    EFFORTS.flatMap((effort) => [
      ...[NOTHING, A_FORMAT, A_BUDGET].map((own) => ({ own, effort, model: `pool:${model}` })),
      // Who names a model has its own words sent as they are.
      ...[NOTHING, A_FORMAT].map((own) => ({ own, effort, model: `claude:${model}` })),
    ]),
  ),
)(
  "$model takes the effort $effort of a profile beside $own.name of a Messages client",
  async (row) => {
    const { model, effort, own } = row;
    const { said, told } = own;
    const veriroute = { profile: effort };
    const body = { model, max_tokens: 4000, messages, ...said, veriroute };

    const { status, answer, calls, ...sent } = await accepted("/v1/messages", body);

    expect({ status, calls, answer }).toMatchObject({ status: 200, calls: 1 });
    expect(sent).toMatchObject(told);
  },
);

test.each([
  { model: "claude-haiku-4-5", thinking: OFF },
  { model: "claude-sonnet-4-6", thinking: OFF },
  { model: "claude-sonnet-5-5", thinking: BETWEEN },
])("the effort none of a spec turns the thinking of $model off", async ({ model, thinking }) => {
  const body = { model: `claude:${model}?effort=none`, max_tokens: 4000, messages };

  const sent = await accepted("/v1/messages", body);

  expect(sent).toMatchObject({ status: 200, calls: 1, thinking });
  expect(sent.output_config).toBeUndefined();
});

test.each(
  MODELS.flatMap((model) =>
    EFFORTS.flatMap((effort) => [undefined, 700, 4000].map((cap) => ({ model, effort, cap }))),
  ),
)("$model takes reasoning_effort $effort of a chat request with a cap of $cap", async (row) => {
  const { model, effort, cap } = row;
  const body = {
    model: `pool:${model}`,
    messages,
    reasoning_effort: effort,
    ...(cap !== undefined && { max_completion_tokens: cap }),
  };

  const { status, answer, calls } = await accepted("/v1/chat/completions", body);

  expect({ status, answer }).toMatchObject({ status: 200 });
  expect(calls).toBe(1);
});
