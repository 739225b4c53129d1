/** Control, zero-width and direction characters: they hide text or reorder it. */
const HIDDEN = /[\p{Cc}\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;

/** The text with every hidden character as one space, so that positions stay. */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll(HIDDEN, " ");
}

function isHidden(code: number): boolean {
  if (code < 0x20) return true;
  if (code < 0x7f) return false;
  return (
    code <= 0x9f ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    code === 0xfeff
  );
}

const GRAM = 8;
const TABLE_BITS = 16;
/** Near misses are rare but in a text made for them; after so many, the answer is yes. */
const MAX_NEAR_MISSES = 20_000;

/**
 * A function that tells whether a string shares `run` or more consecutive characters with `text`,
 * hidden characters read as spaces on both sides. Every run covers an 8-gram that starts at a
 * multiple of `run - 7`, so only those are looked up: the cost is linear in the string, well below
 * one step a character, whatever the text.
 */
export function createRepeatSearch(text: string, run: number): (string: string) => boolean {
  const visible = visibleText(text);
  const stride = run - GRAM + 1;
  const runs = new Set<string>();
  const grams = new Uint8Array(1 << TABLE_BITS);
  for (let at = 0; at + run <= visible.length; at++) runs.add(visible.slice(at, at + run));
  for (let at = 0; at + GRAM <= visible.length; at++) grams[hashOf(visible, at)] = 1;
  let nearMisses = 0;

  function coversRun(string: string, gram: number): boolean {
    const first = Math.max(0, gram - stride + 1);
    const around = visibleText(string.slice(first, gram + run));
    for (let at = 0; at + run <= around.length && first + at <= gram; at++) {
      if (runs.has(around.slice(at, at + run))) return true;
    }
    nearMisses++;
    return nearMisses > MAX_NEAR_MISSES;
  }

  return (string) => {
    if (runs.size === 0 || string.length < run) return false;
    for (let at = 0; at + GRAM <= string.length; at += stride) {
      if (grams[hashOf(string, at)] === 1 && coversRun(string, at)) return true;
    }
    return false;
  };
}

/** A number of 16 bits for the 8 characters from `at` on. */
function hashOf(text: string, at: number): number {
  let hash = 0;
  for (let index = at; index < at + GRAM; index++) {
    const code = text.charCodeAt(index);
    hash = Math.imul(hash ^ (isHidden(code) ? 0x20 : code), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash >>> (32 - TABLE_BITS);
}
