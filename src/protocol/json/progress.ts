/** How far a JSON text that arrives in pieces has come. `open` means more has to follow. */
export type JsonProgress = "nothing" | "open" | "complete";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Follows the structure of one JSON value, in time linear in its size. It does not validate: a text
 * that is no object and no array counts as complete at once.
 */
export function createJsonProgress() {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let progress: JsonProgress = "nothing";

  function takeInString(code: number): void {
    if (isEscaped) isEscaped = false;
    else if (code === BACKSLASH) isEscaped = true;
    else if (code === QUOTE) isInString = false;
  }

  function takeOutside(code: number): void {
    if (OPENING.has(code)) depth++;
    else if (CLOSING.has(code)) depth--;
    else if (depth > 0) isInString = code === QUOTE;
    // Every JSON blank is at or below a space.
    if (code > 0x20) progress = depth > 0 ? "open" : "complete";
  }

  return {
    feed(text: string): void {
      for (let at = 0; at < text.length && progress !== "complete"; at++) {
        const code = text.charCodeAt(at);
        if (isInString) takeInString(code);
        else takeOutside(code);
      }
    },
    state: (): JsonProgress => progress,
  };
}
