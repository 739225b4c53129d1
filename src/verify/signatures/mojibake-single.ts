import { mojibakeLevel } from "../text/mojibake.ts";
import { excused } from "../verdict.ts";
import { isExample } from "./mojibake.ts";
import { encodingFault, type Signature } from "./signature.ts";

export const mojibakeSingle: Signature = {
  name: "mojibake_single",
  verdict: "suspect",
  confidence: "low",
  scope: "provider",
  trips: false,
  rule: "One mangled letter in an output that has next to nothing else beyond ASCII.",
  spares: "The same as `mojibake`.",
  isEarly: false,
  needsWhole: true,
  judge(output) {
    const level = mojibakeLevel(output.text.mojibake);
    if (level === "none") return null;
    if (isExample(output)) return excused("suspect");
    return { ...encodingFault(output), verdict: "suspect", trips: false };
  },
};
