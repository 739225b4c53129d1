/** Where a text stops being JSON; lines and columns count from 1. */
export interface JsonPosition {
  readonly line: number;
  readonly column: number;
}

const BLANK = /[ \t\n\r]*/y;
const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids bare control characters in strings.
const STRING_STOP = /["\\\u0000-\u001f]/g;

/** What may come next: a value, a key, what follows a value, or nothing. */
type Expected = "value" | "value or ]" | "key" | "key or }" | "end of value";

/** Past what `pattern` matches at `at`; undefined if it does not. */
function past(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Past the string that opens at `at`, or the place where it breaks. */
function pastString(text: string, at: number): { end: number; ok: boolean } {
  let position = at + 1;
  for (;;) {
    STRING_STOP.lastIndex = position;
    const stop = STRING_STOP.exec(text);
    if (!stop) return { end: text.length, ok: false };
    if (stop[0] === '"') return { end: stop.index + 1, ok: true };
    const end = stop[0] === "\\" ? past(ESCAPE, text, stop.index) : undefined;
    if (end === undefined) return { end: stop.index, ok: false };
    position = end;
  }
}

/**
 * The offset at which `text` breaks, for a text that `JSON.parse` refused: its own message repeats
 * the text and names no place. Without recursion, since the text comes from a stranger.
 */
function breakOffset(text: string): number {
  const closers: string[] = [];
  let expected: Expected = "value";
  let at = 0;
  for (;;) {
    at = past(BLANK, text, at) ?? at;
    const character = text[at];
    if (expected === "end of value") {
      if (closers.length === 0) return at;
      if (character === closers.at(-1)) {
        closers.pop();
      } else if (character === ",") {
        expected = closers.at(-1) === "}" ? "key" : "value";
      } else return at;
      at++;
      continue;
    }
    const step = takeToken(text, at, expected);
    if (!step.ok) return step.end;
    at = step.end;
    if (step.opens) closers.push(step.opens);
    if (step.closes) closers.pop();
    expected = step.next;
  }
}

type Token =
  | { ok: false; end: number }
  | { ok: true; end: number; next: Expected; opens?: string; closes?: true };

/** One token where a key or a value may stand. */
function takeToken(text: string, at: number, expected: Expected): Token {
  const character = text[at];
  const closer = expected.at(-1);
  if (character !== undefined && (closer === "]" || closer === "}") && character === closer) {
    return { ok: true, end: at + 1, next: "end of value", closes: true };
  }
  return expected === "key" || expected === "key or }" ? takeKey(text, at) : takeValue(text, at);
}

function takeKey(text: string, at: number): Token {
  if (text[at] !== '"') return { ok: false, end: at };
  const key = pastString(text, at);
  if (!key.ok) return { ok: false, end: key.end };
  const colon = past(BLANK, text, key.end) ?? key.end;
  if (text[colon] !== ":") return { ok: false, end: colon };
  return { ok: true, end: colon + 1, next: "value" };
}

function takeValue(text: string, at: number): Token {
  const character = text[at];
  if (character === "{") return { ok: true, end: at + 1, next: "key or }", opens: "}" };
  if (character === "[") return { ok: true, end: at + 1, next: "value or ]", opens: "]" };
  if (character === '"') {
    const { end, ok } = pastString(text, at);
    return ok ? { ok, end, next: "end of value" } : { ok, end };
  }
  const end = past(SCALAR, text, at);
  return end === undefined ? { ok: false, end: at } : { ok: true, end, next: "end of value" };
}

export function jsonBreak(text: string): JsonPosition {
  const before = text.slice(0, breakOffset(text));
  const lastNewline = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: before.length - lastNewline };
}
