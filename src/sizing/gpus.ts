/** What `colab new --gpu` accepts; it takes anything else for an A100, so nothing else may reach it. */
export const SKUS = ["T4", "L4", "G4", "H100", "A100"] as const;
export type Sku = (typeof SKUS)[number];

export function isSku(text: string): text is Sku {
  return SKUS.some((sku) => sku === text);
}

/** What an hour costs, and where that number comes from. */
export interface Rate {
  /** Compute units an hour; null where no source names a number. */
  readonly cu_h: number | null;
  /** The day it was true, such as `2026-03-10`. */
  readonly as_of: string;
  readonly source: string;
}

export interface Gpu {
  readonly sku: Sku;
  /** GB as advertised; nothing is computed from it. */
  readonly sticker_gb: number;
  /** MiB that the driver reports. */
  readonly usable_mib: number;
  /** Below 8.0 there is no bfloat16, below 8.9 no native FP8. */
  readonly compute_capability: number;
  readonly rate: Rate;
  /** What is worth knowing before renting one. */
  readonly remark: string | null;
  /** Set for the server, against faults that only this device has. */
  readonly environment: Readonly<Record<string, string>>;
}

const PRICES = { as_of: "2026-03-10", source: "mccormickml.com, Colab GPUs Features & Pricing" };

/** Older public lists have T4 at 1.96, L4 at 4.82 and A100 near 12: stale. */
export const GPUS: readonly Gpu[] = [
  {
    sku: "T4",
    sticker_gb: 16,
    usable_mib: 15_360,
    compute_capability: 7.5,
    rate: { cu_h: 1.19, ...PRICES },
    remark: null,
    environment: {},
  },
  {
    sku: "L4",
    sticker_gb: 24,
    usable_mib: 23_034,
    compute_capability: 8.9,
    rate: { cu_h: 1.71, ...PRICES },
    remark: null,
    environment: {},
  },
  {
    sku: "A100",
    sticker_gb: 40,
    usable_mib: 40_960,
    compute_capability: 8,
    rate: { cu_h: 5.4, ...PRICES },
    remark: "Colab may give the 80 GB card, at 7.52 CU/h, where the account asks for high memory",
    environment: {},
  },
  {
    sku: "G4",
    sticker_gb: 96,
    usable_mib: 97_887,
    compute_capability: 12,
    rate: { cu_h: 8.71, ...PRICES },
    remark: "another source saw 8.90 CU/h; needs builds for CUDA 12.8 or later",
    environment: { VLLM_USE_FLASHINFER_SAMPLER: "0" },
  },
  {
    sku: "H100",
    sticker_gb: 80,
    usable_mib: 81_559,
    compute_capability: 9,
    rate: { cu_h: null, ...PRICES },
    remark: null,
    environment: {},
  },
];

/** Pay-as-you-go: 100 compute units for 10 USD. */
export const USD_PER_CU = 0.1;

/** The same card under the names that people write; the shape is chosen by the account, not by the name. */
const ALIASES: Readonly<Record<string, Sku>> = { "A100-40": "A100", "A100-80": "A100" };

/** The SKU that a person means; undefined for anything that Colab would silently take for an A100. */
export function readSku(text: string): Sku | undefined {
  const upper = text.toUpperCase();
  if (isSku(upper)) return upper;
  return Object.hasOwn(ALIASES, upper) ? ALIASES[upper] : undefined;
}

/** Compute units an hour by SKU, as `runtimes.rates` has them. */
export type RateOverrides = Readonly<Partial<Record<Sku, number | undefined>>>;

/** Cheapest first; a GPU whose rate nobody knows comes last. */
export function gpusByCost(overrides: RateOverrides, configuredOn: string): readonly Gpu[] {
  const priced = ({ sku, rate }: Gpu): Rate => {
    const cu_h = overrides[sku];
    return cu_h === undefined ? rate : { cu_h, as_of: configuredOn, source: "your configuration" };
  };
  return GPUS.map((gpu) => Object.assign({}, gpu, { rate: priced(gpu) })).toSorted(
    (a, b) => costOf(a) - costOf(b),
  );
}

const costOf = ({ rate }: Gpu) => rate.cu_h ?? Number.MAX_VALUE;
