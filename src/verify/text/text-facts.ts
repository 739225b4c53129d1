import type { CharacterCounts } from "./characters.ts";
import type { MojibakeCounts } from "./mojibake.ts";
import type { PlainMarks } from "./plain-marks.ts";

/** What a scan keeps of a text: numbers, and pieces of bounded size. All lengths are UTF-16 units. */
export interface TextFacts {
  readonly length: number;
  /** The first `HEAD` units. */
  readonly head: string;
  /** The last `TAIL` units. */
  readonly tail: string;
  /** All of it; null if it was longer than the scan keeps. */
  readonly whole: string | null;
  /** A person would see something. */
  readonly is_visible: boolean;
  readonly mojibake: MojibakeCounts;
  readonly characters: CharacterCounts;
  readonly plain: PlainMarks;
}

export const HEAD = 2_048;

/** What the loop rule looks at. */
export const TAIL = 2_400;
