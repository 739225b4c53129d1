import { expect, test } from "bun:test";

import {
  dtypeOn,
  obstacleOn,
  sequencesObstacle,
  weightsObstacle,
} from "../../../src/sizing/compatibility.ts";
import { GPUS } from "../../../src/sizing/gpus.ts";
import { type ModelFacts, unknownModel } from "../../../src/sizing/model-facts.ts";
import { fitOf, GEMMA, gpu, knownModel, quantOf, QWEN_7B } from "./models.ts";

function ofType(...model_types: string[]): ModelFacts {
  const facts = unknownModel("org/model-1B");
  return { ...facts, architecture: { ...facts.architecture, model_types } };
}

test.each(["gemma2", "gemma3", "gemma3_text", "plamo2", "glm4"])(
  "%s never goes to a T4, which has no bfloat16",
  (type) => {
    expect(obstacleOn(gpu("T4"), ofType("outer", type), null)).toContain(type);
    expect(obstacleOn(gpu("L4"), ofType(type), null)).toBeNull();
  },
);

test("a model of unknown type never goes to a T4: it may be one of those", () => {
  expect(obstacleOn(gpu("T4"), ofType(), null)).toContain("unknown");
  expect(obstacleOn(gpu("T4"), ofType("qwen2"), null)).toBeNull();
});

test("llama.cpp runs anywhere, whatever the type", () => {
  const found = GPUS.map((one) => obstacleOn(one, ofType("gemma3"), quantOf("q4_k_m")));

  expect(found.filter((obstacle) => obstacle !== null)).toEqual([]);
});

test.each<{ why: string; facts: Partial<ModelFacts>; quant: string | null }>([
  { why: "asked for", facts: {}, quant: "fp8" },
  { why: "named by the repository", facts: { quant_method: "fbgemm_fp8" }, quant: null },
  { why: "stored", facts: { tensors: { F8_E4M3: 100, BF16: 1 } }, quant: null },
  { why: "possible in its container", facts: { quant_method: "compressed-tensors" }, quant: null },
])("FP8 that is $why never goes to a T4", ({ facts, quant }) => {
  const model = { ...ofType("qwen2"), ...facts };
  const skus = GPUS.filter((one) => obstacleOn(one, model, quantOf(quant)) === null);

  expect(skus.map(({ sku }) => sku)).toEqual(["L4", "A100", "G4", "H100"]);
});

test("a T4 serves in half precision, the others as the model says", () => {
  expect(GPUS.map((one) => [one.sku, dtypeOn(one, "vllm")])).toEqual([
    ["T4", "half"],
    ["L4", "auto"],
    ["A100", "auto"],
    ["G4", "auto"],
    ["H100", "auto"],
  ]);
  expect(dtypeOn(gpu("T4"), "llamacpp")).toBe("auto");
});

test("a G4 brings the setting against its broken sampler into the plan", () => {
  const { plan } = fitOf(knownModel(QWEN_7B), { gpus: [gpu("G4")] });

  expect(plan?.environment).toEqual({ VLLM_USE_FLASHINFER_SAMPLER: "0" });
});

test("gemma-3-4b skips the T4 with the reason, though its memory would almost do", () => {
  expect(fitOf(knownModel(GEMMA), { context: 4096 }).notes).toContain(
    "T4: it has no bfloat16, and vLLM refuses gemma3 in float16, skipping",
  );
});

test.each<{ facts: Partial<ModelFacts>; quant: string | null; says: string | null }>([
  { facts: {}, quant: null, says: null },
  { facts: {}, quant: "bf16", says: null },
  { facts: {}, quant: "fp8", says: "does not hold fp8 weights" },
  { facts: { quant_method: "fbgemm_fp8" }, quant: "fp8", says: null },
  { facts: {}, quant: "int4", says: null },
  { facts: {}, quant: "awq", says: "does not hold awq weights" },
  { facts: { quant_method: "awq" }, quant: "awq", says: null },
  { facts: { quant_method: "bitsandbytes" }, quant: "int4", says: null },
  { facts: { quant_method: "awq" }, quant: "fp8", says: "cannot become fp8" },
  { facts: { tensors: { I32: 90, F16: 10 } }, quant: "bf16", says: "cannot become bf16" },
  { facts: {}, quant: "q4", says: "no GGUF file" },
  { facts: { gguf: [{ variant: "q8_0", bytes: 1 }] }, quant: null, says: null },
  {
    facts: {
      gguf: [
        { variant: "q8_0", bytes: 2 },
        { variant: "q4_0", bytes: 1 },
      ],
    },
    quant: null,
    says: "holds q8_0, q4_0; say which with `--quant`",
  },
  { facts: { gguf: [{ variant: "q8_0", bytes: 1 }] }, quant: "q4", says: "only q8_0" },
  { facts: { gguf: [{ variant: "q4_k_m", bytes: 1 }] }, quant: "q4", says: null },
])("weights of $facts asked for as $quant: $says", ({ facts, quant, says }) => {
  const found = weightsObstacle({ ...unknownModel("org/m"), ...facts }, quantOf(quant));

  if (says === null) expect(found).toBeNull();
  else expect(found).toContain(says);
});

test.each([
  { recipe: "llamacpp", concurrency: null, starts: true },
  { recipe: "llamacpp", concurrency: 1, starts: true },
  { recipe: "llamacpp", concurrency: 2, starts: false },
  { recipe: "vllm", concurrency: 64, starts: true },
] as const)("$recipe asked for $concurrency requests at once: $starts", (row) => {
  expect(sequencesObstacle(row.recipe, row.concurrency) === null).toBe(row.starts);
});

test("several requests at once of GGUF weights are sized, and not rented", () => {
  const found = fitOf(knownModel(QWEN_7B), { quant: quantOf("q4"), concurrency: 2 });

  expect(found.plan).toMatchObject({ recipe: "llamacpp", concurrency: 2 });
  expect(found.obstacles).toContainEqual(expect.stringContaining("leave `--concurrency` out"));
});
