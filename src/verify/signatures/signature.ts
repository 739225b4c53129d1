import { repairFinish } from "../../protocol/openai/finish-reason.ts";
import type { AnswerFacts } from "../answer-facts.ts";
import type { PromptProfile } from "../prompt/prompt-profile.ts";
import type { RequestFacts } from "../prompt/request-facts.ts";
import type { TextFacts } from "../text/text-facts.ts";
import { hasText } from "../text/visible-text.ts";
import type { Finding, TripScope, VerdictName } from "../verdict.ts";

/** Everything a signature may look at. */
export interface Output {
  /** `start` while only the first characters are known, `end` when the answer is over. */
  readonly stage: "start" | "end";
  readonly text: TextFacts;
  readonly answer: AnswerFacts;
  readonly request: RequestFacts;
  readonly prompt: PromptProfile;
}

/** A pattern of bad output, with what is promised about it. */
export interface Signature {
  readonly name: string;
  /** The verdict it usually gives; a doubtful hit is `suspect`. */
  readonly verdict: VerdictName;
  /**
   * `certain` follows from the protocol or the bytes, `high` was measured on clean text with next to no
   * hits, `low` also hits sound output and never counts.
   */
  readonly confidence: "certain" | "high" | "low";
  /** Null blames nobody. */
  readonly scope: TripScope | null;
  /** Whether a hit may count as a bad event of its scope. */
  readonly trips: boolean;
  readonly rule: string;
  /** What looks alike and must not be hit. */
  readonly spares: string;
  /** The first characters may show it. */
  readonly isEarly: boolean;
  /** A sound start does not clear it: in a stream the client has seen the answer before. */
  readonly needsWhole: boolean;
  /** Of a signature of targets: two models of an instance that trip for it make it the instance's. */
  readonly widens?: boolean;
  judge(output: Output): Finding | null;
}

/** A finish reason in the words of OpenAI's clients; null if there is none. */
export function finishOf({ answer: { finish } }: Pick<Output, "answer">): string | null {
  return finish === null ? null : repairFinish(finish, null);
}

/** The client's cap, or the model's window, ended the answer. */
export function isCut(output: Output): boolean {
  return finishOf(output) === "length";
}

/** The stream ended without saying so. */
export function isBrokenOff(output: Output): boolean {
  return output.answer.is_done === false && finishOf(output) === null;
}

/** Neither visible text nor anything that stands for it. */
export function isSilent({ text, answer }: Output): boolean {
  const { has_tool_calls, has_refusal, has_media } = answer;
  return !has_tool_calls && !has_refusal && !has_media && !hasText(text);
}

/**
 * A broken character encoding counts against the provider, whose pipe it is, but only where the prompt
 * was ASCII: else the model may repeat what came in.
 */
export function encodingFault({ prompt }: Output, detail: string | null = null): Finding {
  const attributable = prompt.charset() === "ascii";
  return { verdict: "mangled", scope: "provider", attributable, trips: attributable, detail };
}
