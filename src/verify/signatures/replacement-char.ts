import { TOPICS } from "../prompt/topics.ts";
import { excused } from "../verdict.ts";
import { isReplacedTail } from "./replacement-char-tail.ts";
import { encodingFault, isBrokenOff, isCut, type Output, type Signature } from "./signature.ts";

/** A text about the character shows it once or twice. */
const MAX_SHOWN = 2;

export const replacementChar: Signature = {
  name: "replacement_char",
  verdict: "mangled",
  confidence: "high",
  scope: "provider",
  trips: true,
  rule:
    "U+FFFD outside of code: characters were lost before they reached this router. Counts only where " +
    "the prompt is ASCII.",
  spares:
    "One or two where prompt or answer speaks of encodings, or only in code (`suspect`); up to three at " +
    "the very end of an answer cut by `length` or by a broken stream.",
  isEarly: true,
  needsWhole: true,
  judge(output) {
    const { replacement } = output.text.characters;
    if (replacement === 0) return null;
    if (isReplacedTail(output.text) && (isCut(output) || isBrokenOff(output))) return null;
    if (output.text.plain.replacement === 0) return excused("suspect", "in code");
    if (replacement <= MAX_SHOWN && speaksOfEncodings(output)) return excused("suspect", "topic");
    return encodingFault(output);
  },
};

function speaksOfEncodings({ text: { head, tail }, prompt }: Output): boolean {
  const topic = TOPICS.character_encoding;
  return prompt.asksFor("character_encoding") || topic.test(head) || topic.test(tail);
}
