import { likelyName } from "../lib/nearest.ts";

/** A way to store weights. */
export interface Quant {
  /** As written on the command line. */
  readonly name: string;
  readonly family: "plain" | "awq" | "gptq" | "bnb" | "fp8" | "int8" | "gguf";
  readonly bits: number;
  /** Whether embeddings stay at 16 bits, as they do outside GGUF. */
  readonly keeps_embeddings: boolean;
}

/**
 * Average bits per weight of whole files, embeddings included. Source: llama.cpp,
 * tools/quantize/README.md, measured on Llama-3.1-8B.
 */
const GGUF_BITS: Readonly<Record<string, number>> = {
  iq4_xs: 4.4597,
  iq4_nl: 4.6818,
  q4_k_s: 4.6672,
  q4_k_m: 4.8944,
  q5_k_s: 5.5704,
  q5_k_m: 5.7036,
  q6_k: 6.5633,
  q8_0: 8.5008,
  f16: 16.0005,
};

/** Variants that files come in and the table lacks: theirs count as the next size up that it has. */
const OTHER_GGUF: Readonly<Record<string, string>> = {
  q4_k_m: `iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq2_m q2_k q2_k_s q2_k_l q2_k_xl
    iq3_xxs iq3_xs iq3_s iq3_m q3_k_s q3_k_m q3_k_l q3_k_xl`,
  q5_k_m: "q4_0 q4_1 q4_k_l q4_k_xl",
  q6_k: "q5_0 q5_1 q5_k_l q5_k_xl",
  q8_0: "q6_k_l q6_k_xl",
  f16: "q8_k_xl",
};

const OTHER_BITS: ReadonlyMap<string, number> = new Map(
  Object.entries(OTHER_GGUF).flatMap(([size, variants]) =>
    variants.split(/\s+/).map((variant) => [variant, GGUF_BITS[size] ?? 16] as const),
  ),
);

/** Bits per weight of a GGUF variant, if anything too many; undefined for a word that is none. */
function ggufBits(variant: string): number | undefined {
  return Object.hasOwn(GGUF_BITS, variant) ? GGUF_BITS[variant] : OTHER_BITS.get(variant);
}

/** The same, if anything too few: the number in its name where the table lacks it. */
export function fewestGgufBits(variant: string): number {
  if (Object.hasOwn(GGUF_BITS, variant)) return GGUF_BITS[variant] ?? 1;
  return Math.max(Number(/\d+/.exec(variant)?.[0] ?? 1), 1);
}

/** A bare word stands for the variant that is usually meant; `gguf` alone for none too small. */
const GGUF_WORDS: Readonly<Record<string, string>> = {
  q4: "q4_k_m",
  q5: "q5_k_m",
  q6: "q6_k",
  q8: "q8_0",
  gguf: "q5_k_m",
  gguf_q4: "q4_k_m",
  gguf_q5: "q5_k_m",
  gguf_q8: "q8_0",
};

const QUANTS: Readonly<Record<string, Omit<Quant, "name">>> = {
  // 4 bits, and per group of 128 a 16-bit scale and a 4-bit zero.
  awq: { family: "awq", bits: 4.156, keeps_embeddings: true },
  gptq: { family: "gptq", bits: 4.156, keeps_embeddings: true },
  int4: { family: "bnb", bits: 4.24, keeps_embeddings: true },
  fp8: { family: "fp8", bits: 8, keeps_embeddings: true },
  int8: { family: "int8", bits: 8, keeps_embeddings: true },
  bf16: { family: "plain", bits: 16, keeps_embeddings: false },
  fp16: { family: "plain", bits: 16, keeps_embeddings: false },
};

const SYNONYMS: Readonly<Record<string, string>> = {
  bfloat16: "bf16",
  float16: "fp16",
  half: "fp16",
  bnb: "int4",
  nf4: "int4",
  "bitsandbytes-4bit": "int4",
};

/** Those that are usual; others are understood as well. */
export const QUANT_WORDS: readonly string[] = [
  ...Object.keys(QUANTS),
  ...Object.keys(GGUF_BITS),
  ...Object.keys(GGUF_WORDS),
];

/** The quantization that a person means, or the nearest known word. */
export function readQuant(text: string): Quant | { readonly unknown: string; near?: string } {
  const lower = text.toLowerCase();
  const word = SYNONYMS[lower] ?? GGUF_WORDS[lower] ?? lower;
  if (Object.hasOwn(QUANTS, word)) {
    const quant = QUANTS[word];
    if (quant) return { name: word, ...quant };
  }
  const bits = ggufBits(word);
  if (bits !== undefined) return { name: word, family: "gguf", bits, keeps_embeddings: false };
  const near = likelyName(lower, QUANT_WORDS);
  return near === undefined ? { unknown: text } : { unknown: text, near };
}
