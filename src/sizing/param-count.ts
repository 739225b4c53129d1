import type { ModelFacts } from "./model-facts.ts";
import { shownParams } from "./numbers.ts";
import { fewestGgufBits } from "./quant.ts";
import { hasPackedWords, storedBytes, sum } from "./tensors.ts";

export interface ParamCount {
  readonly count: number;
  /** `guess`: nothing says how large the model is, and nothing that follows may cost money. */
  readonly basis: "counted" | "files" | "name" | "guess";
  readonly note: string;
  /** What must not be overlooked; null where nothing must. */
  readonly caution: string | null;
}

/** Names round down: `7B` stands for 7.6 B in Qwen2.5-7B and for 8.5 B in gemma-7b. */
const NAME_MARGIN = 1.25;

const GUESS = 7e9;

/** How many parameters the model has, never too few where that is not known exactly. */
export function paramCount(facts: ModelFacts): ParamCount {
  const counted = facts.params ?? countedParams(facts);
  if (counted !== null) return known(counted, "counted", `${shownParams(counted)} parameters`);
  const named = paramsInName(facts.repo);
  const byName = named === null ? 0 : named * NAME_MARGIN;
  const byFiles = paramsOfFiles(facts);
  if (byFiles > 0 && byFiles >= byName) {
    return known(byFiles, "files", `at most ${shownParams(byFiles)} parameters by file size`);
  }
  if (named === null) {
    const note = `${shownParams(GUESS)} parameters, a guess`;
    return { count: GUESS, basis: "guess", note, caution: GUESSED };
  }
  const more = `the ${shownParams(named)} in its name and a quarter more, since names round down`;
  return known(byName, "name", `${shownParams(byName)} parameters (${more})`);
}

const GUESSED =
  "NOTHING SAYS HOW LARGE THIS MODEL IS: all of this is a guess, and nothing may be rented on it";

function known(count: number, basis: ParamCount["basis"], note: string): ParamCount {
  return { count, basis, note, caution: null };
}

/** Where weights are packed, elements are words of several weights each: a 7B AWQ repository counts 2 B. */
function countedParams(facts: ModelFacts): number | null {
  if (facts.tensors === null || isQuantized(facts)) return null;
  return sum(Object.values(facts.tensors));
}

/** Whether the repository's own weights are quantized, so that no other quantization can be asked of them. */
export function isQuantized({ quant_method, tensors }: ModelFacts): boolean {
  return quant_method !== null || (tensors !== null && hasPackedWords(tensors));
}

/** No less than 2 bytes a parameter are usual, or half a byte where they are packed. */
function paramsOfFiles(facts: ModelFacts): number {
  const { file_bytes, tensors, gguf } = facts;
  if (gguf.length > 0 && tensors === null) {
    return Math.max(...gguf.map(({ variant, bytes }) => (bytes * 8) / fewestGgufBits(variant)));
  }
  const bytes = file_bytes ?? (tensors === null ? 0 : storedBytes(tensors));
  return isQuantized(facts) ? bytes * 2 : bytes / 2;
}

/**
 * The largest parameter count in a repository's name: `7B`, `8x7B` (56), `270m`; of `30B-A3B` the 30,
 * as all experts are loaded, and of `17B-16E`, where some are shared, no more than 272. Null if it names none.
 */
export function paramsInName(repo: string): number | null {
  const name = repo.split("/").at(-1) ?? repo;
  const experts = Math.max(Number(/\dB-(\d{1,3})E(?![A-Za-z0-9])/i.exec(name)?.[1] ?? 1), 1);
  const found = [
    ...name.matchAll(/(?<![\dA-Za-z.])(?:(\d+)x)?(\d+(?:\.\d+)?)([BM])(?![A-Za-z0-9])/gi),
  ].map(
    ([, times = "1", size = "0", unit = "B"]) =>
      Number(times) * Number(size) * (unit.toUpperCase() === "B" ? 1e9 : 1e6),
  );
  const largest = Math.max(0, ...found) * experts;
  return largest > 0 ? largest : null;
}
