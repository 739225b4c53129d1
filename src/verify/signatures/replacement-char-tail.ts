import type { TextFacts } from "../text/text-facts.ts";
import { excused } from "../verdict.ts";
import { isCut, type Signature } from "./signature.ts";

export const replacementCharTail: Signature = {
  name: "replacement_char_tail",
  verdict: "client_capped",
  confidence: "certain",
  scope: null,
  trips: false,
  rule: "Up to three U+FFFD, all at the very end of an answer cut by `length`: the cap cut a character.",
  spares: "The same anywhere else, or without `length`, is `replacement_char`.",
  isEarly: false,
  needsWhole: true,
  judge: (output) =>
    output.text.characters.replacement > 0 && isCut(output) && isReplacedTail(output.text)
      ? excused("client_capped")
      : null,
};

/** All U+FFFD of the text are its last characters, and few. */
export function isReplacedTail({ tail, characters }: TextFacts): boolean {
  const end = /(\uFFFD{1,3})\s*$/.exec(tail)?.[1] ?? "";
  return end !== "" && end.length === characters.replacement;
}
