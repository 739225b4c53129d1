import { excused } from "../verdict.ts";
import { encodingFault, type Signature } from "./signature.ts";

const MIN_C1 = 2;

export const controlChars: Signature = {
  name: "control_chars",
  verdict: "mangled",
  confidence: "high",
  scope: "provider",
  trips: true,
  rule:
    "A NUL, or two or more controls from U+0080 to U+009F: one-byte text that was taken for another " +
    "charset. Counts only where the prompt is ASCII.",
  spares:
    "Tabs and line ends; escape sequences and other controls, and all of them where the prompt asks " +
    "for controls (`suspect`).",
  isEarly: true,
  needsWhole: true,
  judge(output) {
    const { nul, c1, c0 } = output.text.characters;
    if (nul + c1 + c0 === 0) return null;
    const isMangled = nul > 0 || c1 >= MIN_C1;
    const isAsked = output.prompt.asksFor("control_characters");
    return isMangled && !isAsked ? encodingFault(output) : excused("suspect");
  },
};
