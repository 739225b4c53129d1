import { diagnostic } from "../verdict.ts";
import type { Signature } from "./signature.ts";

/** From here on the answer is in another language, which a client may well have meant. */
const MAX_FOREIGN = 0.4;

export const wrongScriptBurst: Signature = {
  name: "wrong_script_burst",
  verdict: "degenerate",
  confidence: "low",
  scope: "target",
  trips: false,
  rule:
    "Two or more adjacent letters (three of Greek) of a writing that the ASCII prompt does not have, in an " +
    "output that is mostly Latin.",
  spares:
    "Prompts about languages or names; letters shown in brackets or quotes; single Greek letters; answers " +
    "in another language as a whole. Sound answers are hit too: it never counts.",
  isEarly: false,
  needsWhole: true,
  judge({ text, prompt }) {
    const { bursts, foreign, letters } = text.characters;
    if (bursts === 0 || foreign >= MAX_FOREIGN * letters) return null;
    if (prompt.charset() !== "ascii" || prompt.asksFor("languages")) return null;
    return diagnostic("degenerate", "target");
  },
};
