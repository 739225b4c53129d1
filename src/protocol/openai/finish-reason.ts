const KNOWN_WORDS = ["stop", "length", "tool_calls", "content_filter", "function_call"] as const;

/** The finish reasons that OpenAI's own clients know. */
const KNOWN: ReadonlySet<string> = new Set(KNOWN_WORDS);

/** Reasons that say the answer failed; SDKs take them for success or retry for ever. */
const ERRORS = new Set(["error", "insufficient_system_resource", "abort", "timeout"]);

const CONTEXT_FULL = "model_context_window_exceeded";

/** What some vendors send on every chunk until the last. */
const UNFINISHED = new Set(["", "null", "none"]);

/** Vendors' own words in lower case; whatever is in no list reads as `stop`. */
const MAPPED: ReadonlyMap<string, string> = new Map([
  ["model_length", "length"],
  ["max_tokens", "length"],
  [CONTEXT_FULL, "length"],
  ["safety", "content_filter"],
  ["recitation", "content_filter"],
  ["blocklist", "content_filter"],
  ["prohibited_content", "content_filter"],
  ["spii", "content_filter"],
  ["image_safety", "content_filter"],
  ["refusal", "content_filter"],
  ["tool_call", "tool_calls"],
  ["tool_use", "tool_calls"],
]);

export function isErrorFinish(reason: unknown): boolean {
  return typeof reason === "string" && ERRORS.has(reason.toLowerCase());
}

/** The answer ended because the prompt and it filled the model's window. */
export function isContextFull(reason: string | null): boolean {
  return reason?.toLowerCase() === CONTEXT_FULL;
}

/** The vendor's filter ended the answer. */
export function isFiltered(reason: string | null): boolean {
  return reason !== null && repairFinish(reason, null) === "content_filter";
}

/** A finish reason as it may be counted and stored, whatever an upstream calls it. */
export type FinishWord = (typeof KNOWN_WORDS)[number] | "error" | "other";

/** The word for an upstream's finish reason; null if it gave none. */
export function finishWord(reason: string | null): FinishWord | null {
  const word = reason?.toLowerCase() ?? "";
  if (UNFINISHED.has(word)) return null;
  if (ERRORS.has(word)) return "error";
  const meant = MAPPED.get(word) ?? word;
  return KNOWN_WORDS.find((known) => known === meant) ?? "other";
}

/** What an answer called: `stop` after complete calls means one of these. */
export type CallKind = "tool_calls" | "function_call";

/**
 * The finish reason that fits the dialect; null if the answer goes on. Vendors' own words are mapped,
 * and `stop` after calls is told as what agents wait for, without which they end their turn.
 */
export function repairFinish(reason: string, called: CallKind | null): string | null {
  const word = reason.toLowerCase();
  if (UNFINISHED.has(word)) return null;
  const known = KNOWN.has(word) ? word : (MAPPED.get(word) ?? "stop");
  return known === "stop" && called !== null ? called : known;
}
