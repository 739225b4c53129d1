import type { LanguageScores } from "../../verify/language/detector.ts";
import { findLanguage } from "../../verify/language/language.ts";
import { profileOfText } from "../../verify/prompt/prompt-profile.ts";
import { BARE_REQUEST } from "../../verify/prompt/request-facts.ts";
import { createScanner } from "../../verify/scanner.ts";
import type { Verdict } from "../../verify/verdict.ts";
import { isFromAsked } from "../probes/answered-by.ts";
import type { Probe } from "../probes/probe.ts";
import type { AnsweredReply, ProbeReply } from "../probes/reply.ts";
import { failed, type ProbeVerdict, transport } from "./contract.ts";
import { judgeFilter } from "./judge-filter.ts";
import { judgeLanguageReply } from "./judge-language.ts";
import { judgeStructured } from "./judge-structured.ts";
import { judgeTtft } from "./judge-ttft.ts";

/** Holds what came back of a probe against its contract. `scores` is needed for the contract `language`. */
export function judgeReply(
  probe: Probe,
  reply: ProbeReply,
  scores: LanguageScores | null,
): ProbeVerdict {
  if (reply.kind === "failed") {
    const isFilter = probe.contract === "filter" && reply.failure === "moderation";
    return isFilter ? failed("content_filter") : transport(reply.failure);
  }
  if (!isFromAsked(probe.endpoint, reply.answered_by)) return transport("answered_by_other");
  if (isGivenUp(probe, reply)) return transport("timeout");
  const verdict = verdictOf(probe, reply);
  if (probe.contract === "ttft") return judgeTtft(reply, verdict);
  if (probe.contract === "filter") return judgeFilter(reply, verdict);
  if (probe.contract === "structured") return judgeStructured(verdict);
  const language = findLanguage(probe.locale ?? "");
  if (language === undefined || scores === null) {
    throw new Error(`a language probe in \`${probe.locale}\` cannot be judged`);
  }
  return judgeLanguageReply(reply, verdict, { language, scores });
}

/** The time was over before there was enough to judge; who is late is the business of `ttft`. */
function isGivenUp({ contract, limits }: Probe, reply: AnsweredReply): boolean {
  if (contract === "ttft" || reply.duration_ms < limits.answer_ms) return false;
  return contract === "structured" || reply.first_text_ms === null;
}

/**
 * What the router's own signatures find. Prompts of the canary are known to be sound, so a broken
 * encoding is never an echo of theirs, whatever their writing.
 */
function verdictOf({ prompt, max_tokens, format }: Probe, reply: AnsweredReply): Verdict {
  const scanner = createScanner({
    prompt: profileOfText(prompt, "ascii"),
    request: { ...BARE_REQUEST, max_tokens, format },
  });
  scanner.push(reply.text);
  return scanner.end(reply.answer).verdict;
}
