import { isUtf8 } from "node:buffer";

import type { AnswerFacts } from "../verify/answer-facts.ts";

const REPLACEMENT = "\uFFFD";
/** As bytes, read one by one, and as JSON escapes it. */
const SENT = /\xEF\xBF\xBD|\\ufffd/i;

/** Looks for where a U+FFFD in an answer's text comes from: its bytes, or our own decoding. */
export class SentReplacements implements Pick<AnswerFacts, "is_utf8" | "has_sent_replacement"> {
  is_utf8 = true;
  has_sent_replacement: boolean | null = null;

  /** `bytes` are what `text` was read from. */
  look(text: string, bytes: Uint8Array): void {
    if (!text.includes(REPLACEMENT)) return;
    this.is_utf8 &&= isUtf8(bytes);
    const shown = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
    this.has_sent_replacement = SENT.test(shown) || this.has_sent_replacement === true;
  }
}
