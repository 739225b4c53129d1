import { readableDuration } from "../../lib/durations.ts";
import { type StoredPlan, storedPlan } from "../../runtimes/metadata/stored-plans.ts";
import { shownInstant } from "../../runtimes/policy/words.ts";
import type { Estimate } from "../../sizing/estimate.ts";
import type { Plan } from "../../sizing/fit.ts";
import type { ModelFacts } from "../../sizing/model-facts.ts";
import { GIB, grouped } from "../../sizing/numbers.ts";
import type { Asked } from "./asked.ts";

export interface EstimateReport {
  readonly facts: ModelFacts;
  /** Plans of it that have come up from here. */
  readonly plans: readonly StoredPlan[];
  readonly asked: Asked;
  readonly result: Estimate;
}

/** For machines: sizes in GiB with three decimals. */
export function estimateJson({ facts, plans, asked, result }: EstimateReport) {
  return {
    repo: facts.repo,
    revision: facts.revision,
    fits: result.kind === "fits",
    asked: { ...asked, quant: asked.quant?.name ?? null },
    required_gib: rounded(result.required_bytes / GIB),
    plan: result.kind === "fits" ? planJson(result.plan) : null,
    advice:
      result.kind === "fits"
        ? null
        : { text: result.advice.text, plan: planJson(result.advice.plan) },
    came_up: result.kind === "fits" ? storedPlan(plans, facts, result.plan) : null,
    gated: facts.gated,
    obstacles: result.obstacles,
    notes: [...result.notes, ...modelNotes(facts)],
  };
}

function planJson(plan: Plan) {
  const { weights_gib, kv_gib, overhead_gib, required_gib, budget_gib, usd_per_hour } = plan;
  return {
    ...plan,
    weights_gib: rounded(weights_gib),
    kv_gib: rounded(kv_gib),
    overhead_gib: rounded(overhead_gib),
    required_gib: rounded(required_gib),
    budget_gib: rounded(budget_gib),
    usd_per_hour: usd_per_hour === null ? null : rounded(usd_per_hour),
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}

/** For people: the verdict, its arithmetic, what an hour costs, and what stands in the way. */
export function estimateText({ facts, plans, result }: EstimateReport): string {
  const lines = [...result.notes, ...modelNotes(facts)].map((note) => `  ${note}`);
  if (result.kind === "refused") {
    return [
      `${facts.repo} fits no GPU that was asked for`,
      ...lines,
      `instead: ${result.advice.text}`,
      costLine(result.advice.plan),
    ].join("\n");
  }
  const { plan, obstacles } = result;
  const before = storedPlan(plans, facts, plan);
  return [
    `${facts.repo} fits ${plan.sku} at ${grouped(plan.context)} tokens, served by ${SERVERS[plan.recipe]}${plan.dtype === "half" ? " with `--dtype half`" : ""}`,
    ...lines,
    ...(before === null ? [] : [cameUpLine(before)]),
    ...obstacles.map((obstacle) => `as it stands it could not be started: ${obstacle}`),
    costLine(plan),
  ].join("\n");
}

function cameUpLine({ at, took_ms }: StoredPlan): string {
  return `this very plan came up on ${shownInstant(at)}, ${readableDuration(took_ms)} after it was asked for`;
}

const SERVERS = { vllm: "vLLM", llamacpp: "llama.cpp" } as const;

function costLine({ sku, rate, usd_per_hour }: Plan): string {
  const { cu_h, as_of, source } = rate;
  if (cu_h === null || usd_per_hour === null) {
    return `cost of ${sku}: unknown, no source names a rate; say it with \`runtimes.rates.${sku}\``;
  }
  return `cost of ${sku}: ~${cu_h} compute units an hour, ${usd_per_hour.toFixed(2)} USD (${as_of}, ${source})`;
}

function modelNotes({ gated, remote_code }: ModelFacts): string[] {
  return [
    ...(gated
      ? ["the model is gated: accept its licence on huggingface.co and set `HF_TOKEN`"]
      : []),
    ...(remote_code
      ? [
          "the repository brings code of its own, which is never run; a model that needs it will not start",
        ]
      : []),
  ];
}
