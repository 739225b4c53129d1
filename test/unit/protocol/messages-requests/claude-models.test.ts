import { expect, test } from "bun:test";

import { parseClaudeId } from "../../../../src/protocol/anthropic/request/claude-id.ts";
import { claudeFacts } from "../../../../src/protocol/anthropic/request/claude-models.ts";

test.each([
  { model: "claude-sonnet-4-5-20250929", id: { family: "sonnet", major: 4, minor: 5 } },
  { model: "claude-sonnet-4-20250514", id: { family: "sonnet", major: 4, minor: 0 } },
  { model: "claude-sonnet-4@20250514", id: { family: "sonnet", major: 4, minor: 0 } },
  { model: "anthropic/claude-opus-4.6", id: { family: "opus", major: 4, minor: 6 } },
  { model: "anthropic/claude-opus-4.6:beta", id: { family: "opus", major: 4, minor: 6 } },
  {
    model: "us.anthropic.claude-opus-4-1-20250805-v1:0",
    id: { family: "opus", major: 4, minor: 1 },
  },
  { model: "claude-opus-4-6-v1", id: { family: "opus", major: 4, minor: 6 } },
  { model: "claude-3-haiku-20240307", id: { family: "haiku", major: 3, minor: 0 } },
  { model: "claude-3-5-sonnet-v2@20241022", id: { family: "sonnet", major: 3, minor: 5 } },
  { model: "anthropic/claude-3.7-sonnet:thinking", id: { family: "sonnet", major: 3, minor: 7 } },
  { model: "Claude-Haiku-5-5-20260901", id: { family: "haiku", major: 5, minor: 5 } },
  { model: "claude-fable-5-2", id: { family: "fable", major: 5, minor: 2 } },
  { model: "claude-2.1", id: { family: "", major: 2, minor: 1 } },
  { model: "anthropic.claude-v2:1", id: { family: "", major: 2, minor: 0 } },
  { model: "claude-instant-1.2", id: { family: "instant", major: 1, minor: 2 } },
  { model: "claude-opus-latest", id: null },
  { model: "gpt-5.4", id: null },
])("$model is read wherever its version stands", ({ model, id }) => {
  expect(parseClaudeId(model)).toEqual(id);
});

test.each([
  { model: "claude-3-haiku-20240307", budget: false, adaptive: false, off: "absent", max: 4096 },
  {
    model: "claude-3-7-sonnet-20250219",
    budget: true,
    adaptive: false,
    off: "disabled",
    max: 64_000,
  },
  {
    model: "claude-opus-4-1-20250805",
    budget: true,
    adaptive: false,
    off: "disabled",
    max: 32_000,
  },
  {
    model: "claude-sonnet-4-20250514",
    budget: true,
    adaptive: false,
    off: "disabled",
    max: 64_000,
  },
  { model: "claude-haiku-4-5", budget: true, adaptive: false, off: "disabled", max: 64_000 },
  { model: "claude-sonnet-4-6", budget: true, adaptive: true, off: "disabled", max: 128_000 },
  { model: "claude-opus-4-7", budget: false, adaptive: true, off: "between_tools", max: 128_000 },
  { model: "claude-sonnet-5", budget: false, adaptive: true, off: "between_tools", max: 128_000 },
  { model: "claude-opus-5", budget: false, adaptive: true, off: "disabled_to_high", max: 128_000 },
  {
    model: "claude-haiku-5-5",
    budget: false,
    adaptive: true,
    off: "disabled_to_high",
    max: 128_000,
  },
  { model: "claude-sonnet-5-5", budget: false, adaptive: true, off: "between_tools", max: 128_000 },
  { model: "claude-opus-5-5", budget: false, adaptive: true, off: "never", max: 128_000 },
  { model: "claude-fable-5", budget: false, adaptive: true, off: "never", max: 128_000 },
  {
    model: "claude-opus-latest",
    budget: false,
    adaptive: true,
    off: "between_tools",
    max: 128_000,
  },
  { model: "glm-5.3", budget: true, adaptive: false, off: "disabled", max: 128_000 },
] as const)("$model thinks as its generation does", ({ model, max, ...thinking }) => {
  const { budget, adaptive, off, max_output_tokens } = claudeFacts(model);

  expect({ budget, adaptive, off, max_output_tokens }).toEqual({
    ...thinking,
    max_output_tokens: max,
  });
});

test.each([
  { model: "claude-opus-4-5", efforts: ["low", "medium", "high"] },
  { model: "claude-sonnet-4-5", efforts: [] },
  { model: "claude-opus-4.6", efforts: ["low", "medium", "high", "max"] },
  { model: "claude-opus-4-7", efforts: ["low", "medium", "high", "xhigh", "max"] },
])("$model knows the efforts $efforts", ({ model, efforts }) => {
  expect<readonly string[]>(claudeFacts(model).efforts).toEqual(efforts);
});

test.each([
  {
    fact: "forced_tool",
    not: ["claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1"],
    has: ["claude-haiku-5-5", "claude-fable-5", "claude-opus-4-8"],
  },
  {
    fact: "sampling",
    not: ["claude-opus-4-7", "claude-sonnet-5-5"],
    has: ["claude-opus-4-6", "claude-haiku-4-5"],
  },
  { fact: "prefill", not: ["claude-sonnet-4-6", "claude-opus-5"], has: ["claude-sonnet-4-5"] },
  {
    fact: "json_schema",
    not: ["claude-sonnet-4", "claude-opus-4-1"],
    has: ["claude-haiku-4-5", "claude-opus-5"],
  },
  { fact: "system_turns", not: ["claude-opus-4-7"], has: ["claude-opus-4-8", "claude-sonnet-5-5"] },
  {
    fact: "thinks_by_default",
    not: ["claude-opus-4-8"],
    has: ["claude-sonnet-5", "claude-haiku-5-5"],
  },
] as const)("$has have $fact, $not have not", ({ fact, has, not }) => {
  expect(has.map((model) => claudeFacts(model)[fact])).toEqual(has.map(() => true));
  expect(not.map((model) => claudeFacts(model)[fact])).toEqual(not.map(() => false));
});
