import { beginsWithLetter } from "../text/unit-kinds.ts";
import { fault } from "../verdict.ts";
import type { Signature } from "./signature.ts";

/** No sentence begins with these, only code does, and then more of it follows. */
const ALWAYS =
  /^(?:[,。、，；：）］｝」』】〉》〕！？]|[)\]}](?!\s*(?:[;,.)}\]\n]|else|catch|finally|while|\/\/)))/;
/** These begin one only as a face (`;)`), a quote (`”Vem`), a name (`.NET`) or code (`!important`, `;;`). */
const SOMETIMES =
  /^(?:;(?![;)(DPpdb3*|/oO'_-])|”\s|[.:!?]\s|[!?](?=\p{L})(?!important|function|\w+[=(]))/u;
const LEADING_BLANKS = /^[\s\u200B-\u200D\u2060\uFEFF]+/;

export const strayLeadingToken: Signature = {
  name: "stray_leading_token",
  verdict: "degenerate",
  confidence: "high",
  scope: "target",
  trips: true,
  rule:
    "The first visible character is punctuation that ends or joins: `,` `)` `]` `}` and their East Asian " +
    "kin, `;` that begins no face, `”` `.` `:` `!` `?` before a blank, `!` `?` before a letter; and words follow.",
  spares:
    "`.NET`, `.env`, `;)`, `”Vem är där?”`, `»Ja«`, `¿`, `…`, `*`; answers of punctuation only; prefilled " +
    "answers, legacy completions, and prompts that ask to go on, to complete or to fill in.",
  isEarly: true,
  needsWhole: false,
  judge({ text, request, prompt }) {
    if (beginsWithLetter(text.head)) return null;
    const start = text.head.replace(LEADING_BLANKS, "");
    if (!ALWAYS.test(start) && !SOMETIMES.test(start)) return null;
    if (request.is_prefilled || !/\p{L}/u.test(start) || prompt.asksFor("continuation"))
      return null;
    return fault("degenerate", "target");
  },
};
