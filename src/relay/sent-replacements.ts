import { isUtf8 } from "node:buffer";

import type { AnswerFacts } from "../verify/answer-facts.ts";

/** Looks for where a U+FFFD in an answer's text comes from: its bytes, or our own decoding. */
export interface SentReplacements {
  /** `bytes` are what `text` was read from. */
  look(text: string, bytes: Uint8Array): void;
  found(): Pick<AnswerFacts, "is_utf8" | "has_sent_replacement">;
}

const REPLACEMENT = "\uFFFD";
/** As bytes, read one by one, and as JSON escapes it. */
const SENT = /\xEF\xBF\xBD|\\ufffd/i;

export function createSentReplacements(): SentReplacements {
  let is_utf8 = true;
  let has_sent_replacement: boolean | null = null;
  return {
    look(text, bytes) {
      if (!text.includes(REPLACEMENT)) return;
      is_utf8 &&= isUtf8(bytes);
      const shown = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
      has_sent_replacement = SENT.test(shown) || has_sent_replacement === true;
    },
    found: () => ({ is_utf8, has_sent_replacement }),
  };
}
