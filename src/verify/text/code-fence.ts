const OPENING = /^```[\w-]*/;
const CLOSING = "```";

/**
 * What stands in the code fence that is all of `text`, blanks apart; null if there is none. The ends are
 * looked at each by itself: one expression for both takes for ever where the second is missing.
 */
export function unfenced(text: string): string | null {
  const trimmed = text.trim();
  const opening = OPENING.exec(trimmed)?.[0];
  if (opening === undefined || !trimmed.endsWith(CLOSING)) return null;
  if (trimmed.length < opening.length + CLOSING.length) return null;
  return trimmed.slice(opening.length, -CLOSING.length);
}
