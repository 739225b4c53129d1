import { opensAsRefusal } from "../text/refusal-patterns.ts";
import type { TextFacts } from "../text/text-facts.ts";
import { diagnostic } from "../verdict.ts";
import type { Signature } from "./signature.ts";

const MAX_LENGTH = 800;

export const refusalText: Signature = {
  name: "refusal_text",
  verdict: "refusal",
  confidence: "low",
  scope: "target",
  trips: false,
  rule:
    `An output of less than ${MAX_LENGTH} characters that begins, apology or preamble aside, with the first ` +
    "person being unable or unwilling to help, write or go on; 24 languages.",
  spares:
    "`I can't help but smile`; refusals in quotes or stories; help behind a `but`; prompts that ask to " +
    "decline. Refusing is normal: it never counts here.",
  isEarly: false,
  needsWhole: true,
  judge: ({ text, prompt }) =>
    isRefusal(text) && !prompt.asksFor("refusing") ? diagnostic("refusal", "target") : null,
};

/** A short text that does nothing but refuse. */
export function isRefusal({ length, head }: Pick<TextFacts, "length" | "head">): boolean {
  return length < MAX_LENGTH && opensAsRefusal(head);
}
