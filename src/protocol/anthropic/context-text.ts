/** The words that clients of the Messages API compact their conversation on. */
const KNOWN = /prompt is too long|exceed context limit/i;

/** Where other vendors name the size of the window. */
const MAXIMUM =
  /(?:maximum|max(?:imum)? (?:prompt|model|context|input)[^\d]{0,40}|context (?:length|window|size)[^\d]{0,40}|limit(?: of)?|n_ctx)["'\s:=()]*(?:is |of )?(\d[\d,_]*)/i;

const NUMBERS = /\d[\d,_]*/g;

interface ContextOverflow {
  /** What the upstream said; null where nothing of it may be shown. */
  readonly upstream: string | null;
  /** Tokens of the prompt and of the window; null where nobody knows. */
  readonly tokens: number | null;
  readonly maximum: number | null;
}

/** An overflow in the words that clients know: an upstream's own if it used them, else with its numbers. */
export function contextOverflowText({ upstream, tokens, maximum }: ContextOverflow): string {
  if (upstream !== null && KNOWN.test(upstream)) return upstream;
  const named = upstream === null ? null : numberOf(MAXIMUM.exec(upstream)?.[1]);
  const window = named ?? maximum;
  const asked = (upstream === null ? null : askedIn(upstream, window)) ?? tokens;
  if (window === null || asked === null || asked <= window) {
    return "prompt is too long: the conversation does not fit into the model's context window";
  }
  return `prompt is too long: ${asked} tokens > ${window} maximum`;
}

/** The largest number beyond the window is what was asked for. */
function askedIn(text: string, window: number | null): number | null {
  if (window === null) return null;
  const numbers = Array.from(text.matchAll(NUMBERS), ([digits]) => numberOf(digits) ?? 0);
  const beyond = numbers.filter((number) => number > window && number < 1e9);
  return beyond.length === 0 ? null : Math.max(...beyond);
}

function numberOf(digits: string | undefined): number | null {
  const number = Number(digits?.replaceAll(/[,_]/g, ""));
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
