import { expect, test } from "bun:test";

import * as fc from "fast-check";

import type { SpecErrorCode } from "../../../src/address/spec-fault.ts";
import { parseSpec, printSpec, specKey } from "../../../src/address/spec.ts";
import type { Spec } from "../../../src/address/target.ts";

interface Valid {
  text: string;
  key: string;
  canonical: string;
  params?: Spec["params"];
}

const SAME = "same as text";

test.each<Valid>([
  { text: "openai:gpt-5.4", key: "openai:gpt-5.4", canonical: SAME },
  {
    text: "anthropic:claude-opus-5-5?effort=high",
    key: "anthropic:claude-opus-5-5",
    canonical: SAME,
    params: { effort: "high" },
  },
  {
    text: "gemini:gemini-3.8-flash?thinking=low&temperature=0.2",
    key: "gemini:gemini-3.8-flash",
    canonical: "gemini:gemini-3.8-flash?temperature=0.2&thinking=low",
    params: { thinking: "low", temperature: 0.2 },
  },
  { text: "vllm:Qwen/Qwen3-30B#my-box", key: "my-box:Qwen/Qwen3-30B", canonical: SAME },
  { text: "ollama:llama3.3:70b", key: "ollama:llama3.3:70b", canonical: SAME },
  {
    text: "openrouter:nvidia/nemotron-3-nano-omni-30b-a3b-reasoning:free",
    key: "openrouter:nvidia/nemotron-3-nano-omni-30b-a3b-reasoning:free",
    canonical: SAME,
  },
  {
    text: "ollama:hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M",
    key: "ollama:hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M",
    canonical: SAME,
  },
  {
    text: "vllm:Qwen/Qwen3-30B?temperature=0.2#my-box",
    key: "my-box:Qwen/Qwen3-30B",
    canonical: SAME,
    params: { temperature: 0.2 },
  },
  {
    text: "vllm:Qwen/Qwen3-30B#my-box?temperature=0.2",
    key: "my-box:Qwen/Qwen3-30B",
    canonical: "vllm:Qwen/Qwen3-30B?temperature=0.2#my-box",
    params: { temperature: 0.2 },
  },
  { text: "openai", key: "openai", canonical: SAME },
  { text: "openai?effort=low", key: "openai", canonical: SAME, params: { effort: "low" } },
  { text: "vllm#my-box", key: "my-box", canonical: SAME },
  { text: "OpenAI:GPT-4o", key: "openai:GPT-4o", canonical: "openai:GPT-4o" },
  { text: "  openai:gpt-5.4  ", key: "openai:gpt-5.4", canonical: "openai:gpt-5.4" },
  {
    text: "openai:gpt-5.4?weight=3&order=1",
    key: "openai:gpt-5.4",
    canonical: "openai:gpt-5.4?order=1&weight=3",
    params: { weight: 3, order: 1 },
  },
  {
    text: "openai:gpt-5.4?stop=a&stop=b",
    key: "openai:gpt-5.4",
    canonical: SAME,
    params: { stop: ["a", "b"] },
  },
  {
    text: "openai:gpt-5.4?seed=007",
    key: "openai:gpt-5.4",
    canonical: SAME,
    params: { seed: "007" },
  },
  {
    text: "openai:gpt-5.4?user=no",
    key: "openai:gpt-5.4",
    canonical: SAME,
    params: { user: "no" },
  },
  {
    text: "openai:gpt-5.4?max_tokens=99999999999999999999",
    key: "openai:gpt-5.4",
    canonical: SAME,
    params: { max_tokens: "99999999999999999999" },
  },
  {
    text: "openai:gpt-5.4?stop=a%26b",
    key: "openai:gpt-5.4",
    canonical: SAME,
    params: { stop: "a&b" },
  },
  {
    text: "openai:gpt-5.4?stop=%23end",
    key: "openai:gpt-5.4",
    canonical: SAME,
    params: { stop: "#end" },
  },
  {
    text: "openai:gpt-5.4?logit_bias=null&stream=true",
    key: "openai:gpt-5.4",
    canonical: SAME,
    params: { logit_bias: null, stream: true },
  },
  { text: "fal:fal-ai/flux%23v2", key: "fal:fal-ai/flux#v2", canonical: SAME },
  { text: "openai:gpt-5.4?", key: "openai:gpt-5.4", canonical: "openai:gpt-5.4" },
  { text: "azure:my-deploy@2026-01-01", key: "azure:my-deploy@2026-01-01", canonical: SAME },
  // Beyond the sheet.
  {
    text: "openai:m?stop=a+b",
    key: "openai:m",
    canonical: "openai:m?stop=a%20b",
    params: { stop: "a b" },
  },
  { text: "openai:m?stop=%0A", key: "openai:m", canonical: SAME, params: { stop: "\n" } },
  { text: "openai:m?stop=1", key: "openai:m", canonical: SAME, params: { stop: "1" } },
  { text: "openai:m?a=", key: "openai:m", canonical: SAME, params: { a: "" } },
  { text: "openai:m?a=b=c", key: "openai:m", canonical: SAME, params: { a: "b=c" } },
  { text: "openai:m?a=1.0", key: "openai:m", canonical: "openai:m?a=1", params: { a: 1 } },
  { text: "openai:m?a=-0", key: "openai:m", canonical: "openai:m?a=0", params: { a: 0 } },
  { text: "openai:m?a=1e3", key: "openai:m", canonical: SAME, params: { a: "1e3" } },
  { text: "openai:m?a=.5", key: "openai:m", canonical: SAME, params: { a: ".5" } },
  { text: "openai:m?a=%2B1", key: "openai:m", canonical: SAME, params: { a: "+1" } },
  { text: "openai:m?a=0.0000001", key: "openai:m", canonical: SAME, params: { a: "0.0000001" } },
  { text: "openai:m+x", key: "openai:m+x", canonical: SAME },
  { text: "openai:模型", key: "openai:模型", canonical: SAME },
])("$text is read and printed", ({ text, key, canonical, params }) => {
  const parsed = parseSpec(text);

  expect(parsed).toMatchObject({ ok: true, spec: { params: params ?? {} } });
  if (!parsed.ok) return;
  expect({ key: specKey(parsed.spec), canonical: printSpec(parsed.spec) }).toEqual({
    key,
    canonical: canonical === SAME ? text : canonical,
  });
  expect(parseSpec(printSpec(parsed.spec))).toEqual(parsed);
});

test.each<{ text: string; error: SpecErrorCode }>([
  { text: "", error: "empty" },
  { text: "   ", error: "empty" },
  { text: ":gpt-5.4", error: "no_provider" },
  { text: "openai :gpt-5.4", error: "no_provider" },
  { text: "openai:", error: "empty_model" },
  { text: "nvidia/nemotron:free", error: "bad_provider" },
  { text: "pool:main", error: "reserved_prefix" },
  { text: "lane:deep", error: "reserved_prefix" },
  { text: "openai:m?temperature", error: "param_without_value" },
  { text: "openai:m?=1", error: "empty_param_name" },
  { text: "openai:m?a=1&a=2", error: "duplicate_param" },
  { text: "openai:m?a=1&&b=2", error: "empty_param" },
  { text: "openai:m?a=1?b=2", error: "duplicate_query" },
  { text: "vllm:m#a#b", error: "duplicate_instance" },
  { text: "vllm:m#", error: "empty_instance" },
  { text: "openai:gpt 5.4", error: "bad_model" },
  { text: "openai:gpt\n5", error: "control_char" },
  { text: "openai:m?x=%ZZ", error: "bad_percent_encoding" },
  { text: "openai:m?__proto__=1", error: "bad_param_name" },
  // Beyond the sheet.
  { text: "#box", error: "no_provider" },
  { text: "?a=1", error: "no_provider" },
  { text: "AUTO", error: "reserved_prefix" },
  { text: "profile#x", error: "reserved_prefix" },
  { text: `${"a".repeat(65)}:m`, error: "bad_provider" },
  { text: "_x:m", error: "bad_provider" },
  { text: "\u212Aimi:m", error: "bad_provider" },
  { text: "openai:?a=1", error: "empty_model" },
  { text: "openai:m%20x", error: "bad_model" },
  { text: "openai:m%0Ax", error: "control_char" },
  { text: "openai:m%", error: "bad_percent_encoding" },
  { text: "openai:m?a=%FF", error: "bad_percent_encoding" },
  { text: "openai:m?a=1&%61=2", error: "duplicate_param" },
  { text: "openai:m?a=1&", error: "empty_param" },
  { text: "openai:m?constructor=1", error: "bad_param_name" },
  { text: "openai:m?a b=1", error: "bad_param_name" },
  { text: "openai:m#a/b", error: "bad_instance" },
  { text: "openai:m#pool", error: "bad_instance" },
  { text: "openai:m##a", error: "duplicate_instance" },
  { text: "openai:m#a?b=1#c", error: "duplicate_instance" },
  { text: "openai:\u0000", error: "control_char" },
  { text: "openai:m\uD800", error: "bad_unicode" },
  { text: `openai:${"m".repeat(2048)}`, error: "too_long" },
])("a bad spec is refused as $error (case %#)", ({ text, error }) => {
  expect(parseSpec(text)).toEqual({ ok: false, error, message: expect.any(String) });
});

test("a message quotes a long or hostile spec cut and escaped", () => {
  const parsed = parseSpec(`${"x".repeat(1000)}\u001B[2J:m`);

  expect(parsed).toMatchObject({ ok: false, error: "control_char" });
  if (parsed.ok) return;
  expect(parsed.message.length).toBeLessThan(300);
  expect(parsed.message).not.toMatch(/\p{Cc}/u);
});

test("a parameter that could reach an object's prototype never does", () => {
  const parsed = parseSpec("openai:m?%5F%5Fproto%5F%5F=1");

  expect(parsed).toMatchObject({ ok: false, error: "bad_param_name" });
  expect(Object.prototype).not.toHaveProperty("1");
});

const name = fc
  .stringMatching(/^[a-z0-9][a-z0-9_.-]{0,20}$/)
  .filter((text) => !/^(lane|pool|profile|auto)$/.test(text));
const paramName = fc
  .stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,12}$/)
  .filter((text) => !["stop", "constructor", "prototype"].includes(text));
const plainText = fc
  .string({ unit: "binary", maxLength: 20 })
  .filter((text) => text.isWellFormed() && !/^(true|false|null|-?\d[\d.]*)$/.test(text));
const plainNumber = fc
  .oneof(
    fc.maxSafeInteger(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
      .filter((value) => !String(value).includes("e")),
  )
  .map((value) => value + 0);
const model = fc
  .string({ unit: "binary", minLength: 1, maxLength: 30 })
  .filter((text) => text.isWellFormed() && !/[\s\p{Cc}]/u.test(text));
const spec: fc.Arbitrary<Spec> = fc.record({
  provider: name,
  model: fc.option(model),
  instance: fc.option(name),
  params: fc
    .tuple(
      fc.dictionary(paramName, fc.oneof(plainText, plainNumber, fc.boolean(), fc.constant(null)), {
        maxKeys: 5,
      }),
      fc.option(fc.array(fc.string({ maxLength: 5 }), { minLength: 2, maxLength: 3 })),
    )
    .map(([params, stop]): Spec["params"] =>
      stop === null ? params : Object.assign(params, { stop }),
    ),
});

test("reading what was printed gives the same spec back", () => {
  fc.assert(
    fc.property(spec, (value) => {
      expect(parseSpec(printSpec(value))).toEqual({ ok: true, spec: value });
    }),
  );
});

test("any text is either refused with a message or has a canonical form that stays the same", () => {
  const piece = fc.constantFrom(
    ":",
    "?",
    "#",
    "&",
    "=",
    "%",
    "%41",
    "+",
    " ",
    "stop",
    "a",
    "é",
    "__proto__",
    "\n",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(piece).map((pieces) => `p:m${pieces.join("")}`),
  );
  fc.assert(
    fc.property(text, (value) => {
      const parsed = parseSpec(value);
      if (!parsed.ok) {
        expect(parsed.message).not.toBe("");
        return;
      }
      expect(parseSpec(printSpec(parsed.spec))).toEqual(parsed);
    }),
  );
});
