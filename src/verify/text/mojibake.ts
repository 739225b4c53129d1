import type { RunCounts } from "./mojibake-runs.ts";

/** What a text shows of UTF-8 that was decoded by a one-byte charset and encoded again. */
export interface MojibakeCounts extends RunCounts {
  /** All characters beyond ASCII. */
  readonly non_ascii: number;
}

export type MojibakeLevel = "mangled" | "suspect" | "none";

const MIN_PURITY = 0.75;
/** So many sequences are enough without an accepted one, if next to nothing else is beyond ASCII. */
const MANY_SEQUENCES = 4;
const HIGH_PURITY = 0.9;

/**
 * A broken pipe mangles every character beyond ASCII, while a text about mojibake also prints the right
 * ones: purity, the share of characters inside of sequences, tells them apart.
 */
export function mojibakeLevel(counts: MojibakeCounts): MojibakeLevel {
  const { accepted, strong, sequences, structural, non_ascii } = counts;
  if (non_ascii === 0) return "none";
  const purity = structural / non_ascii;
  if (sequences >= MANY_SEQUENCES && purity >= HIGH_PURITY) return "mangled";
  if (purity < MIN_PURITY || accepted === 0) return "none";
  return strong >= 1 || accepted >= 2 ? "mangled" : "suspect";
}
