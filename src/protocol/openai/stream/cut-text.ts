import { parseJson } from "../fields.ts";

/** A text cut around the strings in which the next ones differ from it. */
export interface Cut {
  readonly before: string;
  /** What stands between the text and the padding; null without padding. */
  readonly between: string | null;
  readonly after: string;
}

const BACKSLASH = 0x5c;

// oxlint-disable-next-line no-control-regex -- JSON forbids bare control characters in strings.
const SPECIAL = /["\\\u0000-\u001F]/;

/** Where the quote stands that ends a string whose first character is at `from`; the text's end without one. */
export function stringEnd(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && isEscaped(text, at, from)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

/** The string that stands between two quotes as `spelled`; undefined if that is none. */
export function stringOf(spelled: string): string | undefined {
  if (!SPECIAL.test(spelled)) return spelled;
  const text = parseJson(`"${spelled}"`);
  return typeof text === "string" ? text : undefined;
}
