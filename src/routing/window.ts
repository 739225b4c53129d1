import type { Reason } from "./plan.ts";

/** Why a window cannot hold a request; one that nobody knows is never too small. */
export function windowReason(window_tokens: number | null, needed: number): Reason | null {
  if (window_tokens === null || window_tokens >= needed) return null;
  const detail = `${window_tokens} < ${needed} tokens needed`;
  return { layer: 7, code: WINDOW_TOO_SMALL, detail, until_at: null };
}

export const WINDOW_TOO_SMALL = "window_too_small";
