/** A stretch of a JSON text: `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One member of an object: its decoded key, and where key and value stand. */
export interface Member {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: Span;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const decoder = new TextDecoder();

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The first position from `at` on that is no JSON white space. */
export function skipBlanks(bytes: Uint8Array, at: number): number {
  let position = at;
  while (isBlank(bytes[position])) position++;
  return position;
}

/** Past the string that opens at `at`. Jumps from quote to quote, so long strings cost little. */
function skipString(bytes: Uint8Array, at: number): number {
  let quote = bytes.indexOf(QUOTE, at + 1);
  while (quote !== -1) {
    let backslashes = 0;
    while (bytes[quote - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return bytes.length;
}

function skipContainer(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let position = at;
  while (position < bytes.length) {
    const byte = bytes[position];
    if (byte === QUOTE) {
      position = skipString(bytes, position);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    position++;
    if (depth === 0) return position;
  }
  return position;
}

function skipScalar(bytes: Uint8Array, at: number): number {
  let position = at;
  while (position < bytes.length) {
    const byte = bytes[position];
    if (byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isBlank(byte)) break;
    position++;
  }
  return position;
}

/** Past the value that starts at `at`. */
function skipValue(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === QUOTE) return skipString(bytes, at);
  if (byte === OPEN_BRACE || byte === OPEN_BRACKET) return skipContainer(bytes, at);
  return skipScalar(bytes, at);
}

/** The text of a span. */
export function textOf(bytes: Uint8Array, { start, end }: Span): string {
  return decoder.decode(bytes.subarray(start, end));
}

function keyOf(bytes: Uint8Array, span: Span): string {
  const raw = textOf(bytes, span);
  // A key may be spelled with escapes; it still is the member that a parser sees.
  const parsed: unknown = raw.includes("\\") ? JSON.parse(raw) : raw.slice(1, -1);
  return String(parsed);
}

/**
 * The members of the object that opens at `at`, duplicates included, in order. The text must be
 * valid JSON (it has been parsed before); an empty list if no object opens there.
 */
export function objectMembers(bytes: Uint8Array, at = skipBlanks(bytes, 0)): Member[] {
  const members: Member[] = [];
  if (bytes[at] !== OPEN_BRACE) return members;
  let position = skipBlanks(bytes, at + 1);
  while (bytes[position] === QUOTE) {
    const keySpan = { start: position, end: skipString(bytes, position) };
    const colon = skipBlanks(bytes, keySpan.end);
    if (bytes[colon] !== COLON) break;
    const start = skipBlanks(bytes, colon + 1);
    const value = { start, end: skipValue(bytes, start) };
    members.push({ key: keyOf(bytes, keySpan), keySpan, value });
    const comma = skipBlanks(bytes, value.end);
    if (bytes[comma] !== COMMA) break;
    position = skipBlanks(bytes, comma + 1);
  }
  return members;
}

/** The items of the array that opens at `at`; an empty list if none opens there. */
export function arrayItems(bytes: Uint8Array, at = skipBlanks(bytes, 0)): Span[] {
  const items: Span[] = [];
  if (bytes[at] !== OPEN_BRACKET) return items;
  let position = skipBlanks(bytes, at + 1);
  while (position < bytes.length && bytes[position] !== CLOSE_BRACKET) {
    const item = { start: position, end: skipValue(bytes, position) };
    items.push(item);
    const comma = skipBlanks(bytes, item.end);
    if (bytes[comma] !== COMMA) break;
    position = skipBlanks(bytes, comma + 1);
  }
  return items;
}

/** The value that a parser sees under `key`: the last one wins. */
export function memberValue(members: readonly Member[], key: string): Span | undefined {
  return members.findLast((member) => member.key === key)?.value;
}
