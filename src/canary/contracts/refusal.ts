import { isFiltered } from "../../verify/signatures/content-filter.ts";
import { isRefusal } from "../../verify/signatures/refusal-text.ts";
import { withoutReasoning } from "../../verify/text/visible-text.ts";
import type { AnsweredReply } from "../probes/reply.ts";

type Said = Pick<AnsweredReply, "text" | "answer">;

/** Reasoning that was cut before it came to an end. */
const UNENDED = /^\s*<(think|thinking)>(?![^]*<\/\1>)/;

/** What an answer says, without the reasoning that some hosts write before it. */
export function saidIn({ text }: Pick<Said, "text">): string {
  const said = withoutReasoning(text);
  return UNENDED.test(said) ? "" : said;
}

/**
 * How an answer refuses, as the signature is called that finds it; null if it does not. Of several
 * signatures a verdict names one, and what else an answer shows makes a refusal no less of one.
 */
export function refusalIn(reply: Said): "content_filter" | "refusal_text" | null {
  if (isFiltered(reply)) return "content_filter";
  const said = saidIn(reply);
  return isRefusal({ length: said.length, head: said }) ? "refusal_text" : null;
}
