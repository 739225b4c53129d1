import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const MIN_MARKS = 3;

export const detokMarker: Signature = {
  name: "detok_marker",
  verdict: "mangled",
  confidence: "high",
  scope: "target",
  trips: true,
  rule:
    "At least three tokenizer marks for a space (`Ġ`, `▁`) directly before a letter or digit outside of " +
    "code, and fewer real spaces than half of them.",
  spares:
    "Maltese, where `Ġ` is a letter; bar charts of `▁`; prompts with the marks or about tokens.",
  isEarly: true,
  needsWhole: true,
  judge({ text, prompt }) {
    const { space_marks } = text.plain;
    if (space_marks < MIN_MARKS || text.characters.spaces >= space_marks / 2) return null;
    if (prompt.asksFor("tokens") || prompt.mentions(/[Ġ▁]/)) return null;
    return fault("mangled", "target");
  },
};
