import { nearestNames } from "../../lib/nearest.ts";
import { DEFAULT_CONTEXT } from "../../sizing/fit.ts";
import { readSku, type Sku, SKUS } from "../../sizing/gpus.ts";
import { type Quant, QUANT_WORDS, readQuant } from "../../sizing/quant.ts";
import type { Option, Words } from "../command.ts";

/** What the words of a command ask of a runtime. */
export interface Asked {
  readonly context: number;
  readonly concurrency: number | null;
  readonly quant: Quant | null;
  readonly gpu: Sku | null;
}

/** A value, or what is wrong with the words that should say it. */
export type Read<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string };

export const ASKED_OPTIONS: Readonly<Record<string, Option>> = {
  context: { value: "N", description: `Tokens of context. Default: ${DEFAULT_CONTEXT}.` },
  quant: {
    value: "Q",
    description: "Weights: awq, gptq, int4, fp8, int8, bf16, q4_k_m … Default: as they are.",
  },
  gpu: { value: "G", description: `One of ${SKUS.join(", ")}. Default: the cheapest that fits.` },
  concurrency: {
    value: "N",
    description: "Requests of full context at once, and no more. Default: planned for one.",
  },
};

const MAX_CONTEXT = 100_000_000;
const MAX_CONCURRENCY = 4096;

export function readAsked(values: Words["values"]): Read<Asked> {
  const context = readNumber("context", values["context"] ?? String(DEFAULT_CONTEXT), MAX_CONTEXT);
  if (!context.ok) return context;
  const concurrency = readConcurrency(values["concurrency"]);
  if (!concurrency.ok) return concurrency;
  const quant = readQuantWord(values["quant"]);
  if (!quant.ok) return quant;
  const gpu = readGpuWord(values["gpu"]);
  if (!gpu.ok) return gpu;
  const value = {
    context: context.value,
    concurrency: concurrency.value,
    quant: quant.value,
    gpu: gpu.value,
  };
  return { ok: true, value };
}

function readNumber(option: string, text: string, max: number): Read<number> {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return { ok: true, value };
  return { ok: false, problem: `\`--${option} ${text}\` is no whole number from 1 to ${max}` };
}

function readConcurrency(text: string | undefined): Read<number | null> {
  if (text === undefined) return { ok: true, value: null };
  return readNumber("concurrency", text, MAX_CONCURRENCY);
}

function readQuantWord(word: string | undefined): Read<Quant | null> {
  const quant = word === undefined ? null : readQuant(word);
  if (quant === null || !("unknown" in quant)) return { ok: true, value: quant };
  const { near } = quant;
  const hint =
    near === undefined ? `known: ${QUANT_WORDS.join(", ")}` : `did you mean \`${near}\`?`;
  return { ok: false, problem: `\`--quant ${word}\` is no quantization; ${hint}` };
}

function readGpuWord(word: string | undefined): Read<Sku | null> {
  if (word === undefined) return { ok: true, value: null };
  const value = readSku(word);
  if (value !== undefined) return { ok: true, value };
  const [near] = nearestNames(word, SKUS, 1);
  const hint = near === undefined ? "" : `; did you mean \`${near}\`?`;
  const problem = `\`--gpu ${word}\` is no GPU that Colab rents; those are ${SKUS.join(", ")}${hint}`;
  return { ok: false, problem };
}
