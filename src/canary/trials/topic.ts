import { signatureTraits } from "../../verify/signatures/table.ts";
import type { ProbeTopic } from "../probes/probe.ts";

const OF_FORM: ReadonlySet<string> = new Set([
  "schema_violation",
  "structured_fenced",
  "structured_invalid",
]);

/** Only an answer to a request with tools shows these, and the canary brings none. */
const OF_TOOLS: ReadonlySet<string> = new Set(["tool_call_text_leak", "tool_json_invalid"]);

/** Whether a question of the canary can show that a signature is over. */
export function canShow(signature: string): boolean {
  return !OF_TOOLS.has(signature);
}

interface TopicChoice {
  /** Codes of languages that are asked in. */
  readonly locales: readonly string[];
  /** One higher each time. */
  readonly turn: number;
}

/** The question whose answer would show a signature. Of a broken encoding plain ASCII would show nothing. */
export function trialTopic(signature: string, { locales, turn }: TopicChoice): ProbeTopic {
  if (OF_FORM.has(signature)) return { contract: "structured", locale: null };
  const telling = signatureTraits(signature).is_encoding
    ? locales.filter((locale) => locale !== "en")
    : locales;
  const locale = telling[turn % telling.length] ?? locales[0];
  return locale === undefined
    ? { contract: "ttft", locale: null }
    : { contract: "language", locale };
}
