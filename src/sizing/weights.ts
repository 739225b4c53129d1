import type { Architecture, ModelFacts } from "./model-facts.ts";
import { grouped, shownGib } from "./numbers.ts";
import { isQuantized, type ParamCount, paramCount } from "./param-count.ts";
import type { Quant } from "./quant.ts";
import { dtypeBytes, storedBytes, type Tensors } from "./tensors.ts";

export interface Weights {
  readonly bytes: number;
  readonly note: string;
}

/** What the weights take on the device; `quant` null means as the repository has them. */
export function weightsOf(facts: ModelFacts, quant: Quant | null): Weights {
  if (quant?.family === "gguf") return ggufWeights(facts, quant);
  if (quant === null || isQuantized(facts)) return ownWeights(facts);
  return quantizedWeights(facts.architecture, quant, paramCount(facts));
}

function ownWeights(facts: ModelFacts): Weights {
  const { tensors, file_bytes } = facts;
  if (tensors !== null) return storedWeights(tensors);
  if (file_bytes !== null) {
    return weights(file_bytes, `size of the weights files, ${grouped(file_bytes)} B`);
  }
  if (facts.gguf.length > 0) {
    const largest = Math.max(...facts.gguf.map(({ bytes }) => bytes));
    return weights(largest, `its largest GGUF file, ${grouped(largest)} B`);
  }
  const { count, note } = paramCount(facts);
  return weights(count * 2, `${note} × 2 B`);
}

function storedWeights(tensors: Tensors): Weights {
  const parts = Object.entries(tensors).map(
    ([dtype, count]) => `${grouped(count)} ${dtype} × ${dtypeBytes(dtype)} B`,
  );
  return weights(storedBytes(tensors), parts.join(" + "));
}

function ggufWeights(facts: ModelFacts, quant: Quant): Weights {
  const file = facts.gguf.find(({ variant }) => variant === quant.name);
  if (file) return weights(file.bytes, `its ${quant.name} file, ${grouped(file.bytes)} B`);
  const { count, note } = paramCount(facts);
  const allowance = smallModelAllowance(count);
  const more = allowance === 1 ? "" : ` × ${allowance} (small models keep more bits)`;
  return weights(
    (count * quant.bits * allowance) / 8,
    `${note} × ${quant.bits} bits of ${quant.name}${more}`,
  );
}

/**
 * The bits of a variant were measured on 8 B parameters; smaller models spend more on embeddings and on
 * layers that no block of 256 divides. Our own margin: a published 0.5 B file has a third more, 1.5 B 5 %.
 */
function smallModelAllowance(params: number): number {
  if (params < 1e9) return 1.35;
  return params < 4e9 ? 1.1 : 1;
}

function quantizedWeights(
  architecture: Architecture,
  quant: Quant,
  { count, note }: ParamCount,
): Weights {
  const each = quant.bits / 8;
  if (!quant.keeps_embeddings) return weights(count * each, `${note} × ${each} B`);
  const embeddings = embeddingParams(architecture);
  if (embeddings === null) return withoutEmbeddings(quant, { count, note });
  const bytes = Math.max(count - embeddings, 0) * each + embeddings * 2;
  return weights(
    bytes,
    `${note}, of them ${grouped(embeddings)} embeddings × 2 B and the rest × ${each} B`,
  );
}

/** Input embedding, and output embedding unless they are known to be one. */
function embeddingParams({ vocab, hidden, tied }: Architecture): number | null {
  if (vocab === null || hidden === null) return null;
  return vocab * hidden * (tied === true ? 1 : 2);
}

/**
 * The share that embeddings may have, by model size: vocabularies grow to 262,208 whatever the model. A
 * flat 10 % on top, as is often added, is too little below 10 B parameters.
 */
const EMBEDDING_SHARES = [
  { below: 1e9, share: 0.65 },
  { below: 2e9, share: 0.35 },
  { below: 5e9, share: 0.25 },
  { below: 10e9, share: 0.2 },
  { below: 20e9, share: 0.12 },
] as const;

function withoutEmbeddings(
  quant: Quant,
  { count, note }: Pick<ParamCount, "count" | "note">,
): Weights {
  const each = quant.bits / 8;
  const share = EMBEDDING_SHARES.find(({ below }) => count < below)?.share ?? 0;
  const bytes = Math.max(count * each * 1.1, count * (1 - share) * each + count * share * 2);
  return weights(bytes, `${note} × ${each} B, and more for embeddings of unknown size`);
}

function weights(bytes: number, how: string): Weights {
  return { bytes, note: `weights: ${how} = ${shownGib(bytes)} GiB` };
}
