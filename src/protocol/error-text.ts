import { createRepeatSearch, visibleText } from "./repeat-search.ts";

export interface ErrorTextInput {
  /** What the upstream said. */
  readonly text: string;
  /** Every string of the client's request body; see `bodyStrings`. */
  readonly bodyStrings: Iterable<string>;
  /** Credentials that must not appear, ours and the client's. */
  readonly secrets: readonly string[];
}

const MAX_SHOWN = 300;
/** Redaction looks further than is shown, so that a cut never leaves the start of a key behind. */
const MAX_READ = 4096;
/** From this many consecutive characters of the request on, the text counts as a repetition of it. */
const LONGEST_QUOTE = 15;

/**
 * An upstream's error text as the client of that request may see it: at most 300 characters, without
 * control characters, credentials and key-like words. Null if nothing is left, or if it repeats 16 or
 * more consecutive characters of the request: then our own words take its place.
 */
export function safeErrorText({
  text,
  bodyStrings: strings,
  secrets,
}: ErrorTextInput): string | null {
  const shown = cut(redact(visibleText(text.slice(0, MAX_READ)), secrets)).trim();
  if (shown === "") return null;
  const repeats = createRepeatSearch(shown, LONGEST_QUOTE + 1);
  for (const string of strings) {
    if (repeats(string)) return null;
  }
  return shown;
}

/** Every string of a parsed body, keys included; without recursion, since nesting may be deep. */
export function* bodyStrings(body: unknown): Generator<string> {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") {
      yield value;
    } else if (Array.isArray(value)) {
      for (const member of value) left.push(member);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) left.push(key, member);
    }
  }
}

const REDACTED = "[redacted]";

/** Shapes of vendors' keys, and words that say one follows. */
const KEY_LIKE: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|pplx|hf|nvapi|csk|fw|tgp|ak|ghp|gho|ghs)[-_][\w-]{6,}/g,
  /\bgithub_pat_\w+/g,
  /\bAIza[\w-]{10,}/g,
  /\bAKIA[A-Z\d]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g,
  /(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{6,}/gi,
  /(?<=\b(?:api[_-]?key|key|token|secret|password|authorization)["']?\s?[=:]\s?["']?)[^\s"'&,;]{6,}/gi,
];

/** A shorter credential would blank out ordinary words, and protects nothing. */
const SHORTEST_SECRET = 6;

function redact(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return KEY_LIKE.reduce((rest, pattern) => rest.replaceAll(pattern, REDACTED), withoutKnown);
}

/** Cut at a whole character: half a surrogate pair is no text. */
function cut(text: string): string {
  return text.slice(0, MAX_SHOWN).replace(/[\uD800-\uDBFF]$/, "");
}
