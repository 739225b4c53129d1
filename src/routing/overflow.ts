import { isTriable } from "./arrange.ts";
import { type Refusal, refuse } from "./destination.ts";
import type { Candidate, RoutePlan } from "./plan.ts";
import { WINDOW_TOO_SMALL, windowReason } from "./window.ts";

/** What a vendor said of a prompt that did not fit, in tokens. */
export interface Overflow {
  readonly limit: number | null;
  readonly actual: number | null;
}

/** Smaller numbers in such a message are parts of the prompt, codes or counts of messages. */
const SMALLEST_WINDOW = 256;
const LIMIT_BEFORE = /(?:max\w*|limit|allow\w*|window|context|>)\D{0,60}?(\d+)/i;
const NUMBER = /\d+/g;

/**
 * Reads the two figures out of a vendor's message, such as `prompt is too long: 212345 tokens >
 * 200000 maximum`: the largest is the prompt, the one below it that is called a limit is the window.
 */
export function readOverflow(message: string | null): Overflow {
  const text = (message ?? "").replaceAll(/(\d)[,_](?=\d{3})/g, "$1");
  const figures = [...text.matchAll(NUMBER)]
    .map(([digits]) => Number(digits))
    .filter((figure) => figure >= SMALLEST_WINDOW && Number.isSafeInteger(figure));
  if (figures.length === 0) return { limit: null, actual: null };
  const largest = Math.max(...figures);
  const below = figures.filter((figure) => figure < largest);
  const named = Number(LIMIT_BEFORE.exec(text)?.[1]);
  if (below.length === 0) return { limit: largest, actual: null };
  return { limit: below.includes(named) ? named : Math.max(...below), actual: largest };
}

interface Overflowed {
  /** The plan's candidates that have not been tried, in its order. */
  readonly left: readonly Candidate[];
  /** The one whose window was too small. */
  readonly failed: Pick<Candidate, "window_tokens">;
  readonly overflow: Overflow;
}

/**
 * The candidates left after one could not hold the prompt: those with a window known to be large
 * enough, then those whose window nobody knows, each in plan order. The others stay, out of turn,
 * with `window_too_small`. What the vendor said takes the place of any estimate, so a candidate that
 * was left out by estimate alone comes back if its window is large enough.
 */
export function afterOverflow({ left, failed, overflow }: Overflowed): readonly Candidate[] {
  const needed = minContext(failed, overflow);
  const judged = left.map((candidate) => withWindow(candidate, needed));
  const inTurn = judged.filter(isTriable);
  return [
    ...inTurn.filter(({ window_tokens }) => window_tokens !== null),
    ...inTurn.filter(({ window_tokens }) => window_tokens === null),
    ...judged.filter((candidate) => !isTriable(candidate)),
  ];
}

/** What the next window must hold; null if nothing is known but that the last one did not do. */
function minContext(
  { window_tokens }: Pick<Candidate, "window_tokens">,
  { limit, actual }: Overflow,
): number | null {
  const tooSmall = Math.max(limit ?? 0, window_tokens ?? 0);
  if (actual !== null && actual > tooSmall) return actual;
  return tooSmall === 0 ? null : tooSmall + 1;
}

function withWindow(candidate: Candidate, needed: number | null): Candidate {
  if (needed === null) return candidate;
  const others = candidate.reasons.filter(({ code }) => code !== WINDOW_TOO_SMALL);
  const tooSmall = windowReason(candidate.window_tokens, needed);
  const reasons = tooSmall === null ? others : [...others, tooSmall];
  return { ...candidate, reasons, eligible: reasons.length === 0 };
}

/**
 * The refusal of a request that fits nowhere: waiting would not help, so it is no 503. Undefined as
 * long as one candidate's window is large enough or unknown, whatever else is in its way.
 */
export function fitsNowhere({ candidates }: Pick<RoutePlan, "candidates">): Refusal | undefined {
  const tooSmall = candidates.flatMap(({ target, reasons }) => {
    const reason = reasons.find(({ code }) => code === WINDOW_TOO_SMALL);
    return reason === undefined ? [] : [`\`${target}\`: ${reason.detail}`];
  });
  if (candidates.length === 0 || tooSmall.length < candidates.length) return undefined;
  const message = `the prompt exceeds the maximum context length of every candidate (estimated): ${tooSmall.slice(0, 8).join("; ")}; shorten it, or add a target with a larger window`;
  return refuse("context_length_exceeded", message, "messages");
}
