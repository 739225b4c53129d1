import { foldBlanks } from "../text/fold-blanks.ts";
import { HEAD, type TextFacts } from "../text/text-facts.ts";
import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const MIN_PROMPT = 40;
const MAX_LONGER = 1.3;
/** Of a prompt longer than the kept head, so many units at its end have to come back too. */
const ENDING = 100;
const SPEAKER =
  /^(?:(?:user|human|question|q|prompt)\s*:|#{1,3} ?(?:instruction|user|question)s?\s*:?)\s*/i;

export const promptEcho: Signature = {
  name: "prompt_echo",
  verdict: "degenerate",
  confidence: "high",
  scope: "target",
  trips: true,
  rule:
    `The output is the last user message (${MIN_PROMPT} characters or more) again, at most 30 % longer, or ` +
    "begins with `User:` or `### Instruction` and that message.",
  spares:
    "Prompts that ask to repeat, say, correct, translate or format something; models that are called `echo`; a " +
    "long text that comes back without what the prompt says at its end.",
  isEarly: false,
  needsWhole: true,
  judge({ text, prompt, request }) {
    if (request.asks_for_echo) return null;
    const start = text.head.trimStart();
    const said = prompt.lastUserText();
    if (!opensAlike(start, said.trimStart()) && !SPEAKER.test(start)) return null;
    const asked = foldBlanks(said.slice(0, HEAD)).trim();
    if (asked.length < MIN_PROMPT) return null;
    const shown = foldBlanks(text.head).trim();
    const isSame = startsAlike(shown, asked) && text.length <= MAX_LONGER * said.length;
    const isSpoken = SPEAKER.test(shown) && startsAlike(shown.replace(SPEAKER, ""), asked);
    if ((!isSame && !isSpoken) || !hasEndOf(said, text)) return null;
    return prompt.asksFor("repeating_prompt") ? null : fault("degenerate", "target");
  },
};

/** Enough to tell most answers from an echo without a look at all of the prompt. */
const opensAlike = (shown: string, asked: string) =>
  shown.charCodeAt(0) === asked.charCodeAt(0) && openingOf(shown) === openingOf(asked);

const openingOf = (text: string) =>
  foldBlanks(text.slice(0, 4 * MIN_PROMPT))
    .trim()
    .slice(0, 16);

/** Of a prompt beyond the kept head of the output, as much as the head shows. */
function startsAlike(shown: string, asked: string): boolean {
  if (asked.length < HEAD * 0.9) return shown.startsWith(asked);
  const length = Math.min(shown.length, asked.length);
  return length > HEAD / 2 && shown.slice(0, length) === asked.slice(0, length);
}

/**
 * A long text may rightly come back as it was, but for its end: there stands what is to be done with it, or
 * the change that was asked for.
 */
function hasEndOf(asked: string, { whole, tail }: TextFacts): boolean {
  if (asked.length < HEAD * 0.9) return true;
  const ending = foldBlanks(asked.slice(-2 * ENDING))
    .trimEnd()
    .slice(-ENDING);
  return foldBlanks(whole ?? tail).includes(ending);
}
