import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const MIN_HALF = 100;
const MAX_GAP = 8;
const WORD = /[\p{L}\p{N}]/u;

export const doubledOutput: Signature = {
  name: "doubled_output",
  verdict: "degenerate",
  confidence: "high",
  scope: "target",
  trips: true,
  rule: `The output is one text of at least ${MIN_HALF} characters twice over, with at most ${MAX_GAP} blanks or marks between.`,
  spares: "Prompts that ask for repetition; outputs beyond 16,384 characters are not judged.",
  isEarly: false,
  needsWhole: true,
  judge: ({ text, prompt }) =>
    text.whole !== null && isDoubled(text.whole.trim()) && !prompt.asksFor("repetition")
      ? fault("degenerate", "target")
      : null,
};

function isDoubled(text: string): boolean {
  for (let gap = 0; gap <= MAX_GAP; gap++) {
    const half = (text.length - gap) / 2;
    if (half < MIN_HALF) return false;
    // One unit tells most texts apart before anything is cut out of them.
    if (!Number.isInteger(half) || text.charCodeAt(half + gap) !== text.charCodeAt(0)) continue;
    if (WORD.test(text.slice(half, half + gap))) continue;
    if (text.startsWith(text.slice(half + gap))) return true;
  }
  return false;
}
