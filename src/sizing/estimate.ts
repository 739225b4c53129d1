import { sequencesObstacle } from "./compatibility.ts";
import { type Fit, fit, type FitRequest, type Plan } from "./fit.ts";
import { type Gpu, gpusByCost, type RateOverrides, type Sku } from "./gpus.ts";
import { unknownModel } from "./model-facts.ts";
import { type Quant, readQuant } from "./quant.ts";

export interface EstimateRequest extends Omit<FitRequest, "gpus"> {
  /** Null: the cheapest that holds it. */
  readonly gpu: Sku | null;
  readonly rates: RateOverrides;
  /** Today, as `2026-11-30`: the date of the rates that the configuration gives. */
  readonly today: string;
}

/** Something else that does fit, by the same arithmetic. */
export interface Advice {
  readonly text: string;
  readonly plan: Plan;
}

export type Estimate =
  | (Omit<Fit, "plan"> & { readonly kind: "fits"; readonly plan: Plan })
  | (Omit<Fit, "plan"> & { readonly kind: "refused"; readonly advice: Advice });

/** Where a model fits, or what to ask for instead. */
export function estimate(request: EstimateRequest): Estimate {
  const all = gpusByCost(request.rates, request.today);
  const gpus = request.gpu === null ? all : all.filter(({ sku }) => sku === request.gpu);
  const { plan, ...found } = fit({ ...request, gpus });
  if (plan !== null) return { kind: "fits", ...found, plan };
  return { kind: "refused", ...found, advice: adviceFor(request, gpus, all) };
}

/** The nearest thing to what was asked: 4-bit weights, another GPU, fewer sequences, a smaller model. */
function adviceFor(request: EstimateRequest, asked: readonly Gpu[], all: readonly Gpu[]): Advice {
  const quants = [request.quant, ...FOUR_BIT.filter((quant) => isSmaller(quant, request.quant))];
  for (const concurrency of new Set([request.concurrency, request.concurrency && 1])) {
    for (const gpus of new Set([asked, all])) {
      for (const quant of quants) {
        const { plan } = fit({ ...request, quant, gpus, concurrency });
        if (plan === null || sequencesObstacle(plan.recipe, concurrency) !== null) continue;
        return { text: adviceText(request, plan), plan };
      }
    }
  }
  return smallerModel(request, all);
}

const FOUR_BIT: readonly Quant[] = ["awq", "q4_k_m"].flatMap((word) => {
  const quant = readQuant(word);
  return "unknown" in quant ? [] : [quant];
});

function isSmaller(quant: Quant, asked: Quant | null): boolean {
  return quant.bits < (asked?.bits ?? 16);
}

function adviceText(request: EstimateRequest, plan: Plan): string {
  const { quant, gpu, context } = request;
  const isOtherQuant = plan.quant !== (quant?.name ?? null);
  const flags = [
    ...(isOtherQuant ? [`--quant ${plan.quant}`] : []),
    ...(gpu === null || gpu === plan.sku ? [] : [`--gpu ${plan.sku}`]),
    ...(plan.context === context ? [] : [`--context ${plan.context}`]),
    ...(plan.concurrency === request.concurrency ? [] : [`--concurrency ${plan.concurrency}`]),
  ].join(" ");
  const takes = isOtherQuant ? `, given a repository that holds ${plan.quant} weights` : "";
  return `\`${flags}\` needs ${plan.required_gib.toFixed(1)} GiB and fits ${plan.sku}${takes}`;
}

/** Billions of parameters, as models come. */
const SIZES = [120, 70, 32, 14, 8, 4, 1] as const;

/** The largest usual size that fits in 4 bit where nothing but its size is known. */
function smallerModel({ facts: { repo } }: EstimateRequest, gpus: readonly Gpu[]): Advice {
  const [quant = null] = FOUR_BIT;
  for (const size of SIZES) {
    const facts = { ...unknownModel(`${size}B`), params: size * 1e9 };
    const { plan } = fit({ facts, quant, context: SMALL_CONTEXT, concurrency: 1, gpus });
    if (plan === null) continue;
    const text = `a smaller model: ${size} B parameters in 4 bit need ${plan.required_gib.toFixed(1)} GiB and fit ${plan.sku} at ${plan.context} tokens`;
    return { text, plan };
  }
  throw new Error(`nothing fits in place of \`${repo}\`, not even the smallest model`);
}

const SMALL_CONTEXT = 4096;
