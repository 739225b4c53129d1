import { expect, test } from "bun:test";

import { budgetBytes } from "../../../src/sizing/fit.ts";
import { gpusByCost, readSku, type Sku, SKUS } from "../../../src/sizing/gpus.ts";
import { kvCache, windowedKvBytes } from "../../../src/sizing/kv-cache.ts";
import { type ModelFacts, unknownModel } from "../../../src/sizing/model-facts.ts";
import { GIB } from "../../../src/sizing/numbers.ts";
import {
  estimateOf,
  fitOf,
  GEMMA,
  gpu,
  knownModel,
  LLAMA_70B,
  quantOf,
  QWEN_7B,
  QWEN_MOE,
  QWEN_SMALL,
  VERIFIED,
} from "./models.ts";

const gib = (value: number) => Number(value.toFixed(3));

test("GPUs are those that Colab accepts, cheapest first, the unknown rate last", () => {
  expect(gpusByCost({}, "").map(({ sku }) => sku)).toEqual(["T4", "L4", "A100", "G4", "H100"]);
  expect(new Set(SKUS)).toEqual(new Set(["T4", "L4", "G4", "H100", "A100"]));
});

test("a rate from the configuration moves a GPU in the order and says where it is from", () => {
  const [first, ...others] = gpusByCost({ H100: 1, T4: 1.96 }, "2026-11-30");

  expect(first?.rate).toEqual({ cu_h: 1, as_of: "2026-11-30", source: "your configuration" });
  expect(others.map(({ sku }) => sku)).toEqual(["L4", "T4", "A100", "G4"]);
});

test.each<{ sku: string; usable: number; budget: number; cu_h: number | null }>([
  { sku: "T4", usable: 15, budget: 11.475, cu_h: 1.19 },
  { sku: "L4", usable: 22.494, budget: 17.208, cu_h: 1.71 },
  { sku: "A100", usable: 40, budget: 30.6, cu_h: 5.4 },
  { sku: "G4", usable: 95.593, budget: 73.128, cu_h: 8.71 },
  { sku: "H100", usable: 79.647, budget: 60.93, cu_h: null },
])("$sku offers $budget GiB of the $usable that its driver reports", ({ sku, ...wanted }) => {
  const { usable_mib, rate } = gpu(sku);

  expect({
    usable: gib(usable_mib / 1024),
    budget: gib(budgetBytes(gpu(sku)) / GIB),
    cu_h: rate.cu_h,
  }).toEqual(wanted);
  expect([rate.as_of, rate.source]).toEqual(["2026-03-10", expect.stringContaining(".com")]);
});

test.each<[string, Sku | undefined]>([
  ["t4", "T4"],
  ["A100-40", "A100"],
  ["a100-80", "A100"],
  ["A10", undefined],
  ["RTX", undefined],
  ["constructor", undefined],
])("`--gpu %s` means %p", (text, sku) => {
  expect(readSku(text)).toBe(sku);
});

test.each([
  { repo: QWEN_SMALL, kv: 28_672, context: 32_768 },
  { repo: QWEN_7B, kv: 57_344, context: 32_768 },
  { repo: QWEN_MOE, kv: 98_304, context: 40_960 },
  { repo: LLAMA_70B, kv: 327_680, context: 131_072 },
  { repo: GEMMA, kv: 139_264, context: 131_072 },
])("$repo takes $kv B of KV cache a token", ({ repo, kv, context }) => {
  const { architecture } = knownModel(repo);

  expect(kvCache(architecture, 0)).toMatchObject({ bytes_per_token: kv, caution: null });
  expect(architecture.max_context).toBe(context);
});

interface Example {
  n: number;
  repo: string;
  quant: string | null;
  context: number;
  weights: number;
  kv: number;
  required: number;
  sku: Sku | null;
  fits_at?: number;
}

// The sheet's worked examples, in their order; 5, 9 and 11 are of rules that are not followed.
test.each<Example>([
  {
    n: 1,
    repo: QWEN_SMALL,
    quant: null,
    context: 8192,
    weights: 2.875,
    kv: 0.219,
    required: 5.594,
    sku: "T4",
  },
  {
    n: 2,
    repo: QWEN_7B,
    quant: null,
    context: 16_384,
    weights: 14.185,
    kv: 0.875,
    required: 17.56,
    sku: "L4",
    fits_at: 8192,
  },
  {
    n: 3,
    repo: QWEN_7B,
    quant: null,
    context: 32_768,
    weights: 14.185,
    kv: 1.75,
    required: 18.435,
    sku: "L4",
    fits_at: 8192,
  },
  {
    n: 4,
    repo: QWEN_MOE,
    quant: null,
    context: 8192,
    weights: 56.871,
    kv: 0.75,
    required: 60.121,
    sku: "G4",
  },
  {
    n: 6,
    repo: QWEN_MOE,
    quant: "awq",
    context: 8192,
    weights: 15.63,
    kv: 0.75,
    required: 18.88,
    sku: "A100",
  },
  {
    n: 7,
    repo: LLAMA_70B,
    quant: null,
    context: 8192,
    weights: 131.417,
    kv: 2.5,
    required: 136.417,
    sku: null,
  },
  {
    n: 8,
    repo: LLAMA_70B,
    quant: "awq",
    context: 8192,
    weights: 37.033,
    kv: 2.5,
    required: 42.033,
    sku: "G4",
  },
  {
    n: 10,
    repo: GEMMA,
    quant: null,
    context: 8192,
    weights: 8.01,
    kv: 1.063,
    required: 11.572,
    sku: "L4",
  },
  {
    n: 12,
    repo: QWEN_7B,
    quant: "q4_k_m",
    context: 8192,
    weights: 4.339,
    kv: 0.438,
    required: 7.277,
    sku: "T4",
  },
])("example $n: $repo $quant at $context takes $required GiB and goes to $sku", (example) => {
  const { repo, quant, context, weights, kv, required, sku } = example;
  const facts = knownModel(repo);
  const found = fitOf(facts, { quant: quantOf(quant), context });
  const fixed = fitOf(facts, {
    quant: quantOf(quant),
    context,
    gpus: [{ ...gpu("G4"), usable_mib: 1e6 }],
  });

  expect({
    weights: gib(fixed.plan?.weights_gib ?? 0),
    kv: gib(fixed.plan?.kv_gib ?? 0),
    required: gib(found.required_bytes / GIB),
    sku: found.plan?.sku ?? null,
    fits_at: found.plan?.context ?? null,
  }).toEqual({
    weights,
    kv,
    required,
    sku,
    fits_at: sku === null ? null : (example.fits_at ?? context),
  });
});

test.each([
  { repo: QWEN_SMALL, quant: "awq", weights: 1.07 },
  { repo: QWEN_7B, quant: "awq", weights: 5.19 },
  { repo: QWEN_MOE, quant: "gptq", weights: 15.63 },
  { repo: LLAMA_70B, quant: "awq", weights: 37.03 },
  { repo: LLAMA_70B, quant: "q4_k_m", weights: 40.2 },
])("$repo in $quant takes $weights GiB of weights", ({ repo, quant, weights }) => {
  const { plan } = fitOf(knownModel(repo), { quant: quantOf(quant) });

  expect(Number(plan?.weights_gib.toFixed(2))).toBe(weights);
});

test("example 7 ends in advice that fits: the same model in 4 bit on a G4", () => {
  const estimate = estimateOf(knownModel(LLAMA_70B));

  expect(estimate).toMatchObject({
    kind: "refused",
    advice: { plan: { sku: "G4", quant: "awq", context: 8192 } },
  });
  if (estimate.kind === "refused") expect(estimate.advice.text).toContain("--quant awq");
});

test("example 9: a gated model whose dimensions nobody knows is priced by its size", () => {
  const facts = { ...unknownModel("org/secret-70b"), params: 70_553_706_496 };
  const { plan } = fitOf(facts, { quant: quantOf("awq") });

  expect(gib(plan?.kv_gib ?? 0)).toBe(4.41);
  expect(plan?.weights_gib).toBeGreaterThan(37.033);
  expect(plan?.sku).toBe("G4");
});

test("example 10: the sliding window is noted and the full cache planned for", () => {
  const facts = knownModel(GEMMA);
  const windowed = windowedKvBytes(facts.architecture, kvCache(facts.architecture, 0), 8192);

  expect(gib((windowed ?? 0) / GIB)).toBe(0.27);
  expect(fitOf(facts).notes).toContainEqual(expect.stringMatching(/sliding window: 0\.3 GiB/));
});

test("example 13: heads stand in for missing KV heads, eight times too many and never too few", () => {
  const known = knownModel(LLAMA_70B);
  const facts: ModelFacts = { ...known, architecture: { ...known.architecture, kv_heads: null } };
  const { bytes_per_token } = kvCache(facts.architecture, 0);

  expect(gib((bytes_per_token * 8192) / GIB)).toBe(20);
});

test.each<{ params: number; kib: number }>([
  { params: 0.5e9, kib: 192 },
  { params: 1.5e9, kib: 67 },
  { params: 4e9, kib: 41 },
  { params: 8e9, kib: 37 },
  { params: 14e9, kib: 33 },
  { params: 30e9, kib: 19 },
  { params: 70e9, kib: 8 },
  { params: 405e9, kib: 8 },
])("$params parameters of an unknown kind take $kib KiB a token and billion", (row) => {
  const { bytes_per_token } = kvCache(unknownModel("x").architecture, row.params);

  expect(bytes_per_token / (row.params / 1e9) / 1024).toBeCloseTo(row.kib, 9);
});

test("the published calibration of the fallback holds: 3.2, 4.6 and 7.5 kB", () => {
  const ratios = [QWEN_MOE, LLAMA_70B, QWEN_7B].map((repo) => {
    const { architecture, params } = knownModel(repo);
    return (kvCache(architecture, 0).bytes_per_token / (params ?? 1)) * 1e6;
  });

  expect(ratios.map((ratio) => Number(ratio.toFixed(1)))).toEqual([3.2, 4.6, 7.5]);
});

test.each(VERIFIED.map((repo) => ({ repo })))(
  "$repo is planned with its arithmetic",
  ({ repo }) => {
    const { notes, plan } = fitOf(knownModel(repo), { quant: quantOf("q4_k_m") });

    expect(
      notes.filter((note) => /^(weights|KV cache|overhead|required): /.test(note)),
    ).toHaveLength(repo === GEMMA ? 4 : 4);
    expect(notes.some((note) => note.startsWith(`${plan?.sku}: `))).toBe(true);
  },
);

test("every GPU that was looked at has its verdict", () => {
  expect(fitOf(knownModel(QWEN_7B), { context: 16_384 }).notes.slice(-2)).toEqual([
    "T4: 11.5 usable — needs 17.6, skipping",
    "L4: 22.5 × 0.9 × 0.85 = 17.2 usable — fits at 8,192 instead of 16,384 (KV 0.4)",
  ]);
});
