import { expect, test } from "bun:test";

import { assert, constantFrom, integer, property, record, subarray } from "fast-check";

import { sequencesObstacle } from "../../../src/sizing/compatibility.ts";
import { GPUS, gpusByCost, SKUS } from "../../../src/sizing/gpus.ts";
import {
  type Architecture,
  type ModelFacts,
  UNKNOWN_ARCHITECTURE,
  unknownModel,
} from "../../../src/sizing/model-facts.ts";
import { isQuantized, paramCount, paramsInName } from "../../../src/sizing/param-count.ts";
import { readQuant } from "../../../src/sizing/quant.ts";
import { weightsOf } from "../../../src/sizing/weights.ts";
import { estimateOf, fitOf, knownModel, quantOf, QWEN_7B, QWEN_SMALL, VERIFIED } from "./models.ts";

const QUANTS = [null, "awq", "gptq", "int4", "fp8", "int8", "q4", "q5", "q8", "gguf"] as const;

/** Everything that can be missing of a model, each on its own. */
const LOSSES: Readonly<Record<string, (facts: ModelFacts) => ModelFacts>> = {
  tensors: (facts) => ({ ...facts, tensors: null }),
  file_bytes: (facts) => ({ ...facts, file_bytes: null }),
  params: (facts) => ({ ...facts, params: null }),
  ...Object.fromEntries(
    Object.entries(UNKNOWN_ARCHITECTURE).map(([key, nothing]) => [
      key,
      (facts: ModelFacts) => ({
        ...facts,
        architecture: { ...facts.architecture, [key]: nothing } satisfies Architecture,
      }),
    ]),
  ),
};

test("what is not known never makes the estimate lower than the truth, nor its GPU smaller", () => {
  const wide = GPUS.map((gpu) => Object.assign({}, gpu, { usable_mib: 1e7 }));
  assert(
    property(
      constantFrom(...VERIFIED),
      constantFrom(...QUANTS),
      subarray(Object.keys(LOSSES), { minLength: 1 }),
      (repo, word, lost) => {
        const truth = knownModel(repo);
        const sized: ModelFacts = { ...truth, file_bytes: (truth.params ?? 0) * 2 + 40_000 };
        const rest = lost.reduce((facts, key) => LOSSES[key]?.(facts) ?? facts, sized);
        const quant = quantOf(word);
        const [all, some] = [truth, rest].map((facts) => ({
          required: fitOf(facts, { quant }).required_bytes,
          // Memory aside, only the rules of what starts decide.
          sku: fitOf(facts, { quant, gpus: wide }).plan?.sku,
        }));

        expect(some?.required).toBeGreaterThanOrEqual(all?.required ?? Infinity);
        expect(rank(some?.sku)).toBeGreaterThanOrEqual(rank(all?.sku));
      },
    ),
    { numRuns: 1000 },
  );
});

const rank = (sku: string | undefined) => GPUS.findIndex((gpu) => gpu.sku === sku);

test("the advice of a refusal fits, by the same arithmetic", () => {
  assert(
    property(
      record({
        size: integer({ min: 1, max: 2000 }),
        known: constantFrom(null, ...VERIFIED),
        gpu: constantFrom(null, ...SKUS),
        word: constantFrom(...QUANTS),
        context: integer({ min: 1, max: 1_000_000 }),
        concurrency: integer({ min: 1, max: 256 }),
      }),
      ({ size, known, gpu, word, context, concurrency }) => {
        const facts = known === null ? unknownModel(`org/model-${size}B`) : knownModel(known);
        const result = estimateOf(facts, { gpu, quant: quantOf(word), context, concurrency });
        if (result.kind === "fits") {
          expect(result.plan.required_gib).toBeLessThanOrEqual(result.plan.budget_gib);
          return;
        }
        const { text, plan } = result.advice;
        expect(text).not.toBe("");
        expect(sequencesObstacle(plan.recipe, plan.concurrency)).toBeNull();
        expect(plan.required_gib).toBeLessThanOrEqual(plan.budget_gib);
        if (text.startsWith("a smaller model")) return;
        const again = estimateOf(facts, {
          gpu: gpu === null ? null : plan.sku,
          quant: quantOf(plan.quant),
          context: plan.context,
          concurrency: plan.concurrency,
        });
        expect(again).toMatchObject({ kind: "fits", plan: { context: plan.context } });
      },
    ),
    { numRuns: 1000 },
  );
});

test.each<[string, number | null]>([
  ["meta-llama/Llama-3.3-70B-Instruct", 70e9],
  ["mistralai/Mixtral-8x7B-v0.1", 56e9],
  ["Qwen/Qwen3-30B-A3B", 30e9],
  ["google/gemma-3-270m-it", 270e6],
  ["Qwen/Qwen2.5-0.5B", 0.5e9],
  ["meta-llama/Llama-4-Scout-17B-16E-Instruct", 272e9],
  ["google/gemma-3n-E4B-it", null],
  ["org/70B-tools/phi-4", null],
  ["microsoft/phi-4", null],
  ["org/model-4bit", null],
])("the name %s says %p parameters", (repo, params) => {
  expect(paramsInName(repo)).toBe(params);
});

test("a packed repository is never counted by its words: they hold several weights each", () => {
  const facts = {
    ...unknownModel("org/thing-7B-AWQ"),
    tensors: { I32: 816e6, F16: 1.1e9 },
    quant_method: "awq",
  };

  expect(isQuantized(facts)).toBe(true);
  expect(paramCount(facts).count).toBeGreaterThan(7.6e9);
  // Its own weights are exact, whatever quantization is asked for.
  expect(weightsOf(facts, null).bytes).toBe(816e6 * 4 + 1.1e9 * 2);
  expect(weightsOf(facts, quantOf("awq")).bytes).toBe(816e6 * 4 + 1.1e9 * 2);
});

test("a dtype that nobody knows takes as much as the largest", () => {
  const facts = { ...unknownModel("org/m"), tensors: { F64: 1, NEW_9: 1 } };

  expect(weightsOf(facts, null).bytes).toBe(16);
});

test("a model of which nothing is known is a guess that may cost nothing", () => {
  const { plan, notes, obstacles } = fitOf(unknownModel("org/mystery"));

  expect(plan?.weights_gib).toBeCloseTo(13.04, 2);
  expect(notes.join("\n")).toContain("NOTHING SAYS HOW LARGE THIS MODEL IS");
  expect(obstacles).toEqual(["nothing says how large `org/mystery` is"]);
});

test("the file of the variant that is asked for is what it takes", () => {
  const facts = {
    ...unknownModel("org/thing-7B-GGUF"),
    gguf: [
      { variant: "q4_k_m", bytes: 4_683_074_240 },
      { variant: "q8_0", bytes: 8_098_525_888 },
    ],
  };

  expect(weightsOf(facts, quantOf("q4")).bytes).toBe(4_683_074_240);
  expect(weightsOf(facts, null).bytes).toBe(8_098_525_888);
  expect(fitOf(facts).plan).toMatchObject({ recipe: "llamacpp", sku: "T4" });
});

test("the context is the model's own where more is asked for, and stays where it is small", () => {
  const facts = knownModel(QWEN_SMALL);
  const { plan, notes } = fitOf(facts, { context: 1_000_000 });

  expect(plan).toMatchObject({ sku: "T4", context: 32_768 });
  expect(notes).toContain("context: the model has 32,768 tokens, not 1,000,000");
  expect(fitOf(facts, { context: 2000 }).plan?.context).toBe(2000);
});

const says = ({ notes }: { readonly notes: readonly string[] }) =>
  notes.filter((note) => note.startsWith("context: "));

test("a context that nobody knows is said where a server would not start with too much", () => {
  const known = knownModel(QWEN_7B);
  const facts = { ...known, architecture: { ...known.architecture, max_context: null } };

  expect(says(fitOf(facts))).toEqual([
    "context: the model's own is not known; with fewer than 8,192 tokens it does not start",
  ]);
  expect(says(fitOf(facts, { quant: quantOf("q4") }))).toEqual([]);
  expect(says(fitOf(known))).toEqual([]);
});

test("several sequences multiply the KV cache and nothing else", () => {
  const one = fitOf(knownModel(QWEN_7B)).required_bytes;
  const four = fitOf(knownModel(QWEN_7B), { concurrency: 4 }).required_bytes;

  expect(four - one).toBe(3 * 57_344 * 8192);
});

test("memory shrinks the context before a larger GPU is looked at, down to 4,096 and no further", () => {
  const facts = knownModel(QWEN_7B);
  const { plan } = fitOf(facts, { context: 131_072, gpus: gpusByCost({}, "") });

  expect(plan).toMatchObject({ sku: "L4", context: 8192 });
  expect(fitOf(facts, { context: 4095, concurrency: 64 }).plan).not.toMatchObject({ sku: "L4" });
});

test.each([
  ["AWQ", "awq", "awq"],
  ["Q4_K_M", "q4_k_m", "gguf"],
  ["q4", "q4_k_m", "gguf"],
  ["GGUF_Q5", "q5_k_m", "gguf"],
  ["gguf_q8", "q8_0", "gguf"],
  ["gguf", "q5_k_m", "gguf"],
  ["q4_0", "q4_0", "gguf"],
  ["IQ2_XXS", "iq2_xxs", "gguf"],
  ["int4", "int4", "bnb"],
  ["bnb", "int4", "bnb"],
  ["half", "fp16", "plain"],
])("`--quant %s` means %s, of the family %s", (text, name, family) => {
  expect(readQuant(text)).toMatchObject({ name, family });
});

test.each([
  { variant: "q4_k_m", most: 4.8944, fewest: 4.8944 },
  { variant: "q4_0", most: 5.7036, fewest: 4 },
  { variant: "iq2_xxs", most: 4.8944, fewest: 2 },
  { variant: "q8_k_xl", most: 16.0005, fewest: 8 },
])("a file in $variant has no more than $most bits a weight and no fewer than $fewest", (row) => {
  const { variant, most, fewest } = row;
  const facts = { ...unknownModel("org/thing"), gguf: [{ variant, bytes: 1e9 }] };

  expect(quantOf(variant)?.bits).toBe(most);
  expect(paramCount(facts).count).toBeCloseTo(8e9 / fewest, 0);
});

test("a quantization that does not exist is answered with the nearest that does", () => {
  expect(readQuant("q4_k_x")).toEqual({ unknown: "q4_k_x", near: "q4_k_m" });
  expect(readQuant("constructor")).toEqual({ unknown: "constructor" });
});
