import { mojibakeLayers } from "../text/mojibake-layers.ts";
import { mojibakeLevel } from "../text/mojibake.ts";
import { encodingFault, type Output, type Signature } from "./signature.ts";

export const mojibake: Signature = {
  name: "mojibake",
  verdict: "mangled",
  confidence: "high",
  scope: "provider",
  trips: true,
  rule:
    "UTF-8 read as latin-1 or windows-1252 and encoded again: at least 75 % of the characters beyond " +
    "ASCII lie in sequences shaped like the bytes of one character, and two stretches of them, or one " +
    "with stronger marks (a C1 control, four bytes, a common symbol, adjacent sequences), are such as " +
    "no correct text has. Counts only where the prompt is ASCII.",
  spares:
    "`NÃO`, `château`, `AMANHÃ…`, `café »`; a text about mojibake, which also prints the right letters; " +
    "examples of it in code where the prompt asks about encodings.",
  isEarly: true,
  needsWhole: true,
  judge(output) {
    if (mojibakeLevel(output.text.mojibake) !== "mangled" || isExample(output)) return null;
    const layers = mojibakeLayers(output.text.head);
    return encodingFault(output, layers > 1 ? `${layers} layers` : null);
  },
};

/** All of it stands in code, and the client asked about encodings. */
export function isExample({ text, prompt }: Output): boolean {
  return !text.plain.has_non_ascii && prompt.asksFor("character_encoding");
}
