/** A function call of an answer; `arguments` as it came, text or value. */
export interface CalledFunction {
  readonly name: string;
  readonly arguments: unknown;
}

/** What is known of an answer besides its text, when it ends. Null is unknown. */
export interface AnswerFacts {
  /** As the upstream spelled it; null if it named none. */
  readonly finish: string | null;
  /** It called something, whether or not `calls` says what. */
  readonly has_tool_calls: boolean;
  readonly calls: readonly CalledFunction[];
  /** It showed reasoning outside of its text. */
  readonly has_reasoning: boolean;
  /** It filled the field that vendors refuse in. */
  readonly has_refusal: boolean;
  /** Audio or drawn images. */
  readonly has_media: boolean;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  /** A stream's `[DONE]` came; null if the answer was no stream. */
  readonly is_done: boolean | null;
  readonly is_client_gone: boolean;
  /** The upstream's bytes were UTF-8. */
  readonly is_utf8: boolean;
  /** The upstream itself sent U+FFFD; false while the text has it means that we made it. */
  readonly has_sent_replacement: boolean | null;
}

/** A whole answer of which nothing is known but its text. */
export const PLAIN_ANSWER: AnswerFacts = {
  finish: null,
  has_tool_calls: false,
  calls: [],
  has_reasoning: false,
  has_refusal: false,
  has_media: false,
  output_tokens: null,
  reasoning_tokens: null,
  is_done: null,
  is_client_gone: false,
  is_utf8: true,
  has_sent_replacement: null,
};
