const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The largest delay a timer takes; a longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** What a config duration looks like: one or more number-unit pairs, such as `1h30m` or `0.5s`. */
export const DURATION_PATTERN = "^(\\d+(\\.\\d+)?(ms|s|m|h|d))+$";

/** Milliseconds of a duration such as `"45m"`, `"1h30m"` or `"250ms"`; undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  if (!new RegExp(DURATION_PATTERN).test(text)) return undefined;
  let total = 0;
  for (const [, amount = "0", unit = "ms"] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * (UNIT_MS[unit] ?? 1);
  }
  return Math.round(total);
}

const SHOWN_UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/** For people: the two largest units, such as `59 min 58 s`, rounded up to a second. */
export function readableDuration(ms: number): string {
  let left = Math.max(Math.ceil(ms / 1000), 0) * 1000;
  const parts: string[] = [];
  for (const [unit, size] of SHOWN_UNITS) {
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) parts.push(`${amount} ${unit}`);
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}
