import { LOST, lowByte } from "./mojibake-bytes.ts";
import { createRuns, type RunCounts } from "./mojibake-runs.ts";

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

const NON_ASCII = /[^\0-\x7F]/;

/** Follows a text in pieces of any size; a dozen numbers are all it keeps. */
export function createMojibakeScan() {
  const runs = createRuns();
  let nonAscii = 0;
  /** The sequence being read. `missing` is the number of continuations still to come. */
  let lead = 0;
  let size = 0;
  let missing = 0;
  let point = 0;
  let hasC1 = false;
  let isLost = false;
  let previous = 0;

  function open(unit: number): void {
    lead = unit;
    size = sizeOf(unit);
    missing = size - 1;
    point = unit & (0x7f >> size);
    hasC1 = false;
    isLost = false;
    runs.open(previous);
  }

  function takesContinuation(unit: number): boolean {
    const byte = lowByte(unit);
    if (byte === LOST) isLost = true;
    else if (byte < 0x80 || byte > 0xbf) return false;
    else if (missing === size - 1 && !followsLead(lead, byte)) return false;
    else point = (point << 6) | (byte & 0x3f);
    hasC1 ||= unit >= 0x80 && unit <= 0x9f;
    missing--;
    if (missing === 0) runs.add(size, isLost ? LOST : point, hasC1);
    return true;
  }

  function readUnit(unit: number): void {
    if (missing > 0 && takesContinuation(unit)) return;
    if (missing > 0 || !isLead(unit)) runs.close();
    missing = 0;
    if (isLead(unit)) open(unit);
  }

  return {
    push(text: string): void {
      if (missing === 0 && !runs.isOpen() && !NON_ASCII.test(text)) {
        previous = text === "" ? previous : text.charCodeAt(text.length - 1);
        return;
      }
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (isBeyondAscii(unit)) nonAscii++;
        if (missing > 0 || isLead(unit) || runs.isOpen()) readUnit(unit);
        previous = unit;
      }
    },

    /** Counts at the end of the text. */
    end(): MojibakeCounts {
      runs.close();
      return { ...runs.counts(), non_ascii: nonAscii };
    },
  };
}

const isLead = (unit: number) => unit >= 0xc2 && unit <= 0xf4;

/** Counts a character of two units once. */
const isBeyondAscii = (unit: number) => unit >= 0x80 && (unit < 0xdc00 || unit > 0xdfff);

/** Bytes of the character that a lead opens. */
function sizeOf(lead: number): number {
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Some leads narrow their first continuation; all others take any. */
function followsLead(lead: number, byte: number): boolean {
  switch (lead) {
    case 0xe0:
      return byte >= 0xa0;
    case 0xed:
      return byte <= 0x9f;
    case 0xf0:
      return byte >= 0x90;
    case 0xf4:
      return byte <= 0x8f;
    default:
      return true;
  }
}
