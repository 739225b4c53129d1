import { profileOfText } from "../../verify/prompt/prompt-profile.ts";
import { BARE_REQUEST } from "../../verify/prompt/request-facts.ts";
import { createScanner, type Judgement } from "../../verify/scanner.ts";
import { isFromAsked } from "../probes/answered-by.ts";
import type { Probe } from "../probes/probe.ts";
import type { AnsweredReply, ProbeReply } from "../probes/reply.ts";
import { failed, type ProbeVerdict, transport } from "./contract.ts";

/** A reply with something to judge, and what the router's own signatures find; or why there is nothing. */
export type ReadReply =
  | { readonly kind: "answered"; readonly reply: AnsweredReply; readonly judgement: Judgement }
  | { readonly kind: "unanswered"; readonly verdict: ProbeVerdict };

export function readReply(probe: Probe, reply: ProbeReply): ReadReply {
  if (reply.kind === "failed") {
    const isFilter = probe.contract === "filter" && reply.failure === "moderation";
    return unanswered(isFilter ? failed("content_filter") : transport(reply.failure));
  }
  if (!isFromAsked(probe.endpoint, reply.answered_by)) {
    return unanswered(transport("answered_by_other"));
  }
  if (isGivenUp(probe, reply)) return unanswered(transport("timeout"));
  return { kind: "answered", reply, judgement: judgementOn(probe, reply) };
}

function unanswered(verdict: ProbeVerdict): ReadReply {
  return { kind: "unanswered", verdict };
}

/** The time was over before there was enough to judge; who is late is the business of `ttft`. */
function isGivenUp({ contract, limits }: Probe, reply: AnsweredReply): boolean {
  if (contract === "ttft" || reply.duration_ms < limits.answer_ms) return false;
  return contract === "structured" || reply.first_text_ms === null;
}

/**
 * Prompts of the canary are known to be sound, so a broken encoding is never an echo of theirs, whatever
 * their writing.
 */
function judgementOn({ prompt, max_tokens, format }: Probe, reply: AnsweredReply): Judgement {
  const scanner = createScanner({
    prompt: profileOfText(prompt, "ascii"),
    request: { ...BARE_REQUEST, max_tokens, format },
  });
  scanner.push(reply.text);
  return scanner.end(reply.answer);
}
