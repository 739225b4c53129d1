import type { LanguageScores } from "../../verify/language/detector.ts";
import { findLanguage } from "../../verify/language/language.ts";
import type { Probe } from "../probes/probe.ts";
import type { ProbeReply } from "../probes/reply.ts";
import type { ProbeVerdict } from "./contract.ts";
import { judgeFilter } from "./judge-filter.ts";
import { judgeLanguageReply } from "./judge-language.ts";
import { judgeStructured } from "./judge-structured.ts";
import { judgeTtft } from "./judge-ttft.ts";
import { readReply } from "./read-reply.ts";

/** Holds what came back of a probe against its contract. `scores` is needed for the contract `language`. */
export function judgeReply(
  probe: Probe,
  reply: ProbeReply,
  scores: LanguageScores | null,
): ProbeVerdict {
  const read = readReply(probe, reply);
  if (read.kind === "unanswered") return read.verdict;
  const { verdict } = read.judgement;
  if (probe.contract === "ttft") return judgeTtft(read.reply, verdict);
  if (probe.contract === "filter") return judgeFilter(read.reply, verdict);
  if (probe.contract === "structured") return judgeStructured(verdict);
  const language = findLanguage(probe.locale ?? "");
  if (language === undefined || scores === null) {
    throw new Error(`a language probe in \`${probe.locale}\` cannot be judged`);
  }
  return judgeLanguageReply(read.reply, verdict, { language, scores });
}
