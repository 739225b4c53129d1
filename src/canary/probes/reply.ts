import type { FailureKind } from "../../health/failure.ts";
import type { AnswerFacts } from "../../verify/answer-facts.ts";

/** What came back of a probe. */
export type ProbeReply = FailedReply | AnsweredReply;

/** No success status, no answer, or an error in its midst. */
export interface FailedReply {
  readonly kind: "failed";
  readonly failure: FailureKind;
  readonly status: number | null;
}

/** A success status came; the answer may be empty or, where the probe ran out of time, incomplete. */
export interface AnsweredReply {
  readonly kind: "answered";
  /** What the answer calls the host it came from; null if it does not say. */
  readonly answered_by: string | null;
  readonly text: string;
  readonly answer: AnswerFacts;
  readonly input_tokens: number | null;
  readonly cost_usd: number | null;
  /** Ms from sending to the first visible text, and to the first reasoning; null if none came. */
  readonly first_text_ms: number | null;
  readonly first_reasoning_ms: number | null;
  /** Ms from sending to the end, or to when the probe gave up. */
  readonly duration_ms: number;
}
