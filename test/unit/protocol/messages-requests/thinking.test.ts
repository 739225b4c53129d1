import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { claudeFacts } from "../../../../src/protocol/anthropic/request/claude-models.ts";
import {
  askedByChat,
  askedByMessages,
} from "../../../../src/protocol/anthropic/request/thinking-asked.ts";
import { shapeThinking } from "../../../../src/protocol/anthropic/request/thinking.ts";

const HAIKU = "claude-haiku-4-5";
const SONNET_4_6 = "claude-sonnet-4-6";
const SONNET_5_5 = "claude-sonnet-5-5";
const NOT_TAKEN = /answers 400 to `thinking\.type: enabled`/;

function ofMessages(model: string, body: Record<string, unknown>) {
  const { max_tokens = 20_000, ...rest } = body;
  return shapeThinking(askedByMessages(rest), claudeFacts(model), Number(max_tokens));
}

function ofChat(model: string, body: Record<string, unknown>) {
  const { max_tokens, ...rest } = body;
  const cap = typeof max_tokens === "number" ? max_tokens : null;
  return shapeThinking(askedByChat(rest), claudeFacts(model), cap);
}

describe("what a client of Messages asks for", () => {
  const enabled = { type: "enabled", budget_tokens: 4096 };
  const adaptive = { type: "adaptive" };
  const disabled = { type: "disabled" };

  test.each([
    { model: HAIKU, asks: enabled, sends: enabled, warns: null },
    {
      model: HAIKU,
      asks: adaptive,
      sends: { type: "enabled", budget_tokens: 16_384 },
      warns: /400 to `thinking.type: adaptive`/,
    },
    { model: HAIKU, asks: disabled, sends: disabled, warns: null },
    { model: SONNET_4_6, asks: enabled, sends: enabled, warns: null },
    { model: SONNET_4_6, asks: adaptive, sends: adaptive, warns: null },
    { model: SONNET_4_6, asks: disabled, sends: disabled, warns: null },
    { model: SONNET_5_5, asks: enabled, sends: adaptive, warns: NOT_TAKEN },
    { model: SONNET_5_5, asks: adaptive, sends: adaptive, warns: null },
    { model: SONNET_5_5, asks: disabled, sends: { type: "between_tools" }, warns: null },
  ])("$asks.type for $model is sent as $sends.type", ({ model, asks, sends, warns }) => {
    const { thinking, max_tokens, warnings } = ofMessages(model, { thinking: asks });

    expect({ thinking, max_tokens }).toEqual({ thinking: sends, max_tokens: 20_000 });
    if (warns === null) expect(warnings).toEqual([]);
    else expect(warnings).toEqual([expect.stringMatching(warns)]);
  });

  test("further members of thinking stay", () => {
    const thinking = { type: "enabled", budget_tokens: 4096, display: "summarized" };

    expect(ofMessages(SONNET_5_5, { thinking }).thinking).toEqual({
      type: "adaptive",
      display: "summarized",
    });
  });

  test.each([
    { what: "equal to max_tokens", budget: 2048, max: 2048, sends: 2047 },
    { what: "below the least", budget: 500, max: 4096, sends: 1024 },
    { what: "above max_tokens", budget: 9000, max: 1025, sends: 1024 },
  ])("a budget $what becomes $sends", ({ budget, max, sends }) => {
    const thinking = { type: "enabled", budget_tokens: budget };
    const shape = ofMessages(HAIKU, { thinking, max_tokens: max });

    expect(shape).toEqual({
      thinking: { type: "enabled", budget_tokens: sends },
      max_tokens: max,
      warnings: [expect.stringContaining(`from ${budget} to ${sends}`)],
    });
  });

  test.each([
    { model: "claude-opus-4-6", effort: "xhigh", sends: "high" },
    { model: "claude-opus-4-5", effort: "max", sends: "high" },
    { model: SONNET_5_5, effort: "xhigh", sends: "xhigh" },
    { model: HAIKU, effort: "high", sends: undefined },
  ])("effort $effort alone is $sends for $model", ({ model, effort, sends }) => {
    const { output_config, thinking } = ofMessages(model, { output_config: { effort } });

    expect({ effort: output_config?.effort, thinking }).toEqual({
      effort: sends,
      thinking: undefined,
    });
  });

  test("thinking that is kept off lowers an effort that needs it", () => {
    const asked = { thinking: disabled, output_config: { effort: "max" } };

    expect(ofMessages("claude-opus-5", asked)).toEqual({
      thinking: disabled,
      output_config: { effort: "high" },
      max_tokens: 20_000,
      warnings: [expect.stringContaining("from max to high")],
    });
  });

  test("a cap above the model's own is lowered", () => {
    expect(ofMessages("claude-opus-4-1", { max_tokens: 64_000 })).toEqual({
      max_tokens: 32_000,
      warnings: [expect.stringContaining("from 64000 to 32000")],
    });
  });
});

describe("what a client of chat asks for", () => {
  test.each([
    { effort: "minimal", budget: 1024 },
    { effort: "low", budget: 4096 },
    { effort: "medium", budget: 8192 },
    { effort: "high", budget: 16_384 },
    { effort: "xhigh", budget: 24_576 },
    { effort: "max", budget: 32_000 },
  ])("effort $effort is a budget of $budget where there is no other way", ({ effort, budget }) => {
    expect(ofChat(HAIKU, { reasoning_effort: effort })).toEqual({
      thinking: { type: "enabled", budget_tokens: budget },
      max_tokens: budget + 8192,
      warnings: [],
    });
  });

  test.each([
    { model: SONNET_4_6, effort: "minimal", sends: "low" },
    { model: SONNET_4_6, effort: "medium", sends: "medium" },
    { model: SONNET_4_6, effort: "xhigh", sends: "high" },
    { model: SONNET_4_6, effort: "max", sends: "max" },
    { model: SONNET_5_5, effort: "xhigh", sends: "xhigh" },
    { model: "claude-some-new-one", effort: "high", sends: "high" },
  ] as const)("effort $effort is adaptive with $sends on $model", ({ model, effort, sends }) => {
    const { thinking, output_config } = ofChat(model, { reasoning_effort: effort });

    expect({ thinking, output_config }).toEqual({
      thinking: { type: "adaptive" },
      output_config: { effort: sends },
    });
  });

  test.each([
    { model: HAIKU, sends: { thinking: { type: "disabled" } } },
    { model: SONNET_4_6, sends: { thinking: { type: "disabled" } } },
    { model: SONNET_5_5, sends: { thinking: { type: "between_tools" } } },
    { model: "claude-opus-5", sends: { thinking: { type: "disabled" } } },
    { model: "claude-opus-5-5", sends: { output_config: { effort: "low" } } },
    { model: "claude-3-haiku", sends: {} },
  ] as const)("effort none on $model is $sends", ({ model, sends }) => {
    const { max_tokens: _, warnings: __, ...shape } = ofChat(model, { reasoning_effort: "none" });

    expect(shape).toEqual(sends);
  });

  test("without room for any budget thinking is off and the warning says how to get it back", () => {
    expect(ofChat(HAIKU, { reasoning_effort: "high", max_tokens: 512 })).toEqual({
      max_tokens: 512,
      warnings: [expect.stringContaining("raise `max_tokens` above 1024")],
    });
  });

  test.each([
    { says: "OpenRouter's budget", body: { reasoning: { max_tokens: 2000 } }, budget: 2000 },
    { says: "OpenRouter's effort", body: { reasoning: { effort: "low" } }, budget: 4096 },
    { says: "OpenRouter's switch", body: { reasoning: { enabled: true } }, budget: 16_384 },
    {
      says: "Anthropic's own form",
      body: { thinking: { type: "enabled", budget_tokens: 3000 } },
      budget: 3000,
    },
  ])("$says is understood", ({ body, budget }) => {
    expect(ofChat(HAIKU, body).thinking).toEqual({ type: "enabled", budget_tokens: budget });
  });

  test("nothing asked for is nothing sent", () => {
    expect(ofChat(SONNET_5_5, { reasoning_effort: null })).toEqual({
      max_tokens: 32_000,
      warnings: [],
    });
  });
});

const MODELS = [
  HAIKU,
  SONNET_4_6,
  SONNET_5_5,
  "claude-opus-5",
  "claude-opus-5-5",
  "claude-fable-5-2",
  "claude-opus-4-5",
  "claude-3-opus",
  "claude-3-7-sonnet",
  "claude-next",
];

const asked = fc.record(
  {
    thinking: fc.oneof(
      fc.record({ type: fc.constantFrom("adaptive", "disabled", "between_tools") }),
      fc.record({
        type: fc.constant("enabled"),
        budget_tokens: fc.integer({ min: 0, max: 200_000 }),
      }),
    ),
    output_config: fc.record({
      effort: fc.constantFrom("minimal", "low", "medium", "high", "xhigh", "max", "none"),
    }),
  },
  { requiredKeys: [] },
);

test("whatever is asked for, what is sent is within the model's rules and stable", () => {
  fc.assert(
    fc.property(
      asked,
      fc.constantFrom(...MODELS),
      fc.integer({ min: 1, max: 300_000 }),
      (body, model, cap) => {
        const facts = claudeFacts(model);
        const { max_tokens, thinking, output_config } = shapeThinking(
          askedByMessages(body),
          facts,
          cap,
        );
        const again = shapeThinking(
          askedByMessages({ thinking, output_config }),
          facts,
          max_tokens,
        );

        expect(max_tokens).toBeLessThanOrEqual(facts.max_output_tokens);
        if (thinking?.["type"] === "enabled") {
          const budget = Number(thinking["budget_tokens"]);
          expect([facts.budget, budget >= 1024, budget < max_tokens]).toEqual([true, true, true]);
        }
        if (thinking?.["type"] === "adaptive") expect(facts.adaptive).toBe(true);
        if (output_config) expect(facts.efforts).toContain(output_config.effort);
        expect(again).toEqual({
          ...(thinking && { thinking }),
          ...(output_config && { output_config }),
          max_tokens,
          warnings: [],
        });
      },
    ),
  );
});
