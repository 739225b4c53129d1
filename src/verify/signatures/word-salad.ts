import { boundShare, distinctShare, endsInWords, lastWords } from "../text/word-run.ts";
import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const MIN_WORDS = 150;
const MIN_DISTINCT = 0.8;
const MAX_BOUND = 0.08;

export const wordSalad: Signature = {
  name: "word_salad",
  verdict: "degenerate",
  confidence: "high",
  scope: "target",
  trips: true,
  rule:
    `The last line ends in at least ${MIN_WORDS} bare words without punctuation, at least 80 % of them ` +
    "different and at most 8 % of them words that hold sentences together.",
  spares: "Prompts that ask for words, names, lists or text without punctuation; lists on lines.",
  isEarly: false,
  needsWhole: true,
  judge({ text, prompt }) {
    // Of `n` words and the blanks between them; prose stops long before at its punctuation.
    if (!endsInWords(text.tail, 2 * MIN_WORDS - 1)) return null;
    const words = lastWords(text.tail);
    if (words.length < MIN_WORDS || boundShare(words) > MAX_BOUND) return null;
    if (distinctShare(words) < MIN_DISTINCT) return null;
    return prompt.asksFor("words") ? null : fault("degenerate", "target");
  },
};
