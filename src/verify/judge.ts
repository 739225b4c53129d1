import type { Output } from "./signatures/signature.ts";
import { SIGNATURES } from "./signatures/table.ts";
import { hasText } from "./text/visible-text.ts";
import { OK, UNVERIFIABLE, type Verdict } from "./verdict.ts";

/** Verdicts that settle an output: whatever else it shows means nothing. */
const FINAL = new Set(["client_aborted", "self_inflicted"]);

/**
 * The first hit in the order of the table wins, but one that counts against nobody does not hide a
 * later one that counts: an endpoint that writes its reasoning inline would else never be seen to loop.
 */
export function judgeOutput(output: Output): Verdict {
  let first: Verdict | null = null;
  for (const signature of SIGNATURES) {
    const finding = signature.judge(output);
    if (finding === null) continue;
    const verdict = { ...finding, signature: signature.name };
    if (verdict.trips || FINAL.has(signature.name)) return verdict;
    first ??= verdict;
  }
  return first ?? (isUnverifiable(output) ? UNVERIFIABLE : sound(output));
}

/** That an answer has characters which an ASCII prompt has not is worth a note, and never more. */
function sound({ text, prompt }: Output): Verdict {
  const isNew = text.mojibake.non_ascii > 0 && prompt.charset() === "ascii";
  return isNew ? { ...OK, detail: "beyond ASCII" } : OK;
}

const EARLY = SIGNATURES.filter(({ isEarly }) => isEarly);

/** What the first characters already tell; null if nothing. */
export function judgeStart(output: Output): Verdict | null {
  for (const signature of EARLY) {
    const finding = signature.judge(output);
    if (finding !== null) return { ...finding, signature: signature.name };
  }
  return null;
}

/** Only calls or media, which no signature of text can say anything about. */
function isUnverifiable({ text, answer }: Output): boolean {
  return (answer.has_tool_calls || answer.has_media) && !hasText(text);
}

/** The verdict of an answer with several choices: the worst of theirs. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  const counted = verdicts.find(({ trips }) => trips);
  const hit = verdicts.find(({ signature }) => signature !== null);
  return counted ?? hit ?? verdicts[0] ?? UNVERIFIABLE;
}
