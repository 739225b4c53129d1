import { expect, test } from "bun:test";

import { claudeFacts } from "../../../../src/protocol/anthropic/request/claude-models.ts";
import { fitMessages } from "../../../../src/protocol/anthropic/request/fit.ts";
import { flipOn400, withVerdict } from "../../../../src/protocol/anthropic/request/flip.ts";

const enabled = { thinking: { type: "enabled", budget_tokens: 2000 }, max_tokens: 4096 };
const adaptive = { thinking: { type: "adaptive" }, max_tokens: 4096 };
const disabled = { thinking: { type: "disabled" }, max_tokens: 4096 };
const between = { thinking: { type: "between_tools" }, max_tokens: 4096 };

interface Flip {
  readonly text: string;
  readonly sent: Record<string, unknown>;
  readonly model: string;
  readonly learns: Record<string, unknown>;
  readonly resends: Record<string, unknown>;
}

test.each<Flip>([
  {
    text: '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    sent: enabled,
    model: "claude-sonnet-4-6",
    learns: { budget: false, adaptive: true },
    resends: adaptive,
  },
  {
    text: "adaptive thinking is not supported on this model",
    sent: adaptive,
    model: "claude-sonnet-4-6",
    learns: { adaptive: false, budget: true },
    resends: { max_tokens: 4096, thinking: { type: "enabled", budget_tokens: 4095 } },
  },
  {
    text: '"thinking.type.disabled" is not supported for this model. Use {"type":"between_tools"} instead.',
    sent: disabled,
    model: "claude-opus-5",
    learns: { off: "between_tools" },
    resends: between,
  },
  {
    text: '"thinking.type.between_tools" is not supported for this model; use "disabled".',
    sent: between,
    model: "claude-opus-4-7",
    learns: { off: "disabled" },
    resends: disabled,
  },
  {
    text: '"thinking.type.between_tools" is not supported for this model',
    sent: between,
    model: "claude-opus-4-7",
    learns: { off: "never" },
    resends: { max_tokens: 4096, output_config: { effort: "low" } },
  },
  {
    text: "disabled is not supported at effort max",
    sent: { ...disabled, output_config: { effort: "max" } },
    model: "claude-opus-4-6",
    learns: { off: "disabled_to_high" },
    resends: { ...disabled, output_config: { effort: "high" } },
  },
  {
    text: "This model does not support the effort parameter.",
    sent: { max_tokens: 4096, output_config: { effort: "high" } },
    model: "claude-opus-4-5",
    learns: { efforts: [] },
    resends: { max_tokens: 4096 },
  },
  {
    text: "Effort level xhigh is not supported by this model",
    sent: { ...adaptive, output_config: { effort: "xhigh" } },
    model: "claude-opus-4-7",
    learns: { efforts: ["low", "medium", "high", "max"] },
    resends: { ...adaptive, output_config: { effort: "high" } },
  },
  {
    text: "tool_choice forcing tool use is not supported by this model",
    sent: { max_tokens: 4096, tool_choice: { type: "any" } },
    model: "claude-opus-4-8",
    learns: { forced_tool: false },
    resends: { max_tokens: 4096, tool_choice: { type: "auto" } },
  },
  {
    text: "`temperature` is deprecated for this model.",
    sent: { max_tokens: 4096, temperature: 0.2 },
    model: "claude-sonnet-4-6",
    learns: { sampling: false },
    resends: { max_tokens: 4096 },
  },
  {
    text: "thinking is not supported by this model",
    sent: enabled,
    model: "some-other-vendor",
    learns: { budget: false, adaptive: false, off: "absent" },
    resends: { max_tokens: 4096 },
  },
])("$text", ({ text, sent, model, learns, resends }) => {
  const verdict = flipOn400(text, sent);
  const facts = withVerdict(claudeFacts(model), verdict ?? undefined);

  expect(verdict).toEqual(learns);
  expect(fitMessages(sent, facts).body).toEqual(resends);
});

test.each([
  { text: "`max_tokens` must be greater than `thinking.budget_tokens`.", sent: enabled },
  { text: "prompt is too long: 250000 tokens > 200000 maximum", sent: adaptive },
  { text: "messages.1.content.0: Invalid `signature` in `thinking` block", sent: adaptive },
  { text: "adaptive thinking is not supported on this model", sent: { max_tokens: 5 } },
  { text: "This model does not support assistant message prefill.", sent: adaptive },
  { text: "This model does not support image input.", sent: {} },
])("nothing is learned from: $text", ({ text, sent }) => {
  expect(flipOn400(text, sent)).toBeNull();
});
