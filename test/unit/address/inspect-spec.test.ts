import { expect, test } from "bun:test";

import { inspectSpec, type SpecInspection } from "../../../src/address/inspect-spec.ts";

test.each<{ line: { id?: unknown; spec?: unknown }; answer: SpecInspection }>([
  {
    line: { id: "a", spec: "vllm:Qwen/Qwen3-30B#my-box?temperature=0.2" },
    answer: {
      id: "a",
      ok: true,
      key: "my-box:Qwen/Qwen3-30B",
      canonical: "vllm:Qwen/Qwen3-30B?temperature=0.2#my-box",
      provider: "vllm",
      model: "Qwen/Qwen3-30B",
      params: { temperature: 0.2 },
      instance: "my-box",
    },
  },
  {
    line: { id: 7, spec: "openai" },
    answer: { id: 7, ok: true, key: "openai", canonical: "openai", provider: "openai", params: {} },
  },
  { line: { id: "b", spec: "openai:" }, answer: { id: "b", ok: false, error: "empty_model" } },
  { line: { spec: 3 }, answer: { id: null, ok: false, error: "not_a_string" } },
  { line: { id: "c" }, answer: { id: "c", ok: false, error: "not_a_string" } },
])("a line gets one answer (case %#)", ({ line, answer }) => {
  expect(inspectSpec(line)).toStrictEqual(answer);
});
