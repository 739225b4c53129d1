const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Epoch seconds and milliseconds of this century; anything smaller counts from now. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MS = 1e12;
/** Beyond it no date is meant: eleven digits of seconds are a very long wait, not an instant. */
const LAST_EPOCH_SECONDS = 1e10;

/**
 * Milliseconds from `now` that one value names: seconds (`30`, `1.5`), an instant in epoch seconds or
 * milliseconds, a Go duration (`6m0s`), RFC 3339, or a date in one of HTTP's three forms. A past
 * instant is 0; null if it is none of them. Numbers are tried before dates, since date parsers read
 * `-3` and `1.5` as years.
 */
export function readWait(value: string | number, now: number): number | null {
  const text = String(value).trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return fromNumber(Number(text), now);
  const duration = readGoDuration(text);
  if (duration !== null) return duration;
  const instant = readInstant(text, now);
  return instant === null ? null : Math.max(0, instant - now);
}

function fromNumber(number: number, now: number): number {
  if (number >= EPOCH_MS) return Math.max(0, number - now);
  if (number >= EPOCH_SECONDS && number < LAST_EPOCH_SECONDS)
    return Math.max(0, number * 1000 - now);
  return number * 1000;
}

/** Milliseconds of `6m0s`, `2m59.56s`, `12ms`; null if the text is none. */
function readGoDuration(text: string): number | null {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|d|h|m|s))+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit = ""] of text.matchAll(/(\d+(?:\.\d+)?)(ms|d|h|m|s)/g)) {
    total += Number(amount) * (UNIT_MS[unit] ?? 0);
  }
  return total;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const RFC_3339 =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)? ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})?$/i;
const IMF_OR_RFC_850 =
  /^[a-z]{3,9}, (\d{1,2})[ -]([a-z]{3})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) (?:GMT|UTC)$/i;
const ASCTIME = /^[a-z]{3} ([a-z]{3}) +(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/i;

/** Epoch milliseconds; a time without zone is read as UTC, whatever the zone of this machine. */
function readInstant(text: string, now: number): number | null {
  if (RFC_3339.test(text)) {
    const zone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10)) ? "" : "Z";
    const plain = text.replace(/ ?(?:UTC|GMT)$/i, "").replace(/^(.{10}) /, "$1T");
    const instant = Date.parse(plain.length === 10 ? `${plain}T00:00:00Z` : plain + zone);
    return Number.isNaN(instant) ? null : instant;
  }
  const [, day, month, year, ...time] = IMF_OR_RFC_850.exec(text) ?? [];
  if (day !== undefined) return instantOf({ year, month, day, time }, now);
  const [, name, date, hour, minute, second, full] = ASCTIME.exec(text) ?? [];
  if (date === undefined) return null;
  return instantOf({ year: full, month: name, day: date, time: [hour, minute, second] }, now);
}

interface DateParts {
  readonly year: string | undefined;
  readonly month: string | undefined;
  readonly day: string;
  readonly time: readonly (string | undefined)[];
}

function instantOf({ year = "", month = "", day, time }: DateParts, now: number): number | null {
  const index = MONTHS.indexOf(month.toLowerCase());
  if (index === -1) return null;
  const [hour, minute, second] = time.map(Number);
  const written = Number(year);
  const at = (century: number) =>
    Date.UTC(written + century, index, Number(day), hour, minute, second);
  if (year.length === 4) return at(0);
  // RFC 9110: two digits that seem more than 50 years ahead mean the past.
  const century = Math.floor(new Date(now).getUTCFullYear() / 100) * 100;
  const instant = at(century);
  return instant - now > 50 * 365.25 * 86_400_000 ? at(century - 100) : instant;
}

const NAMED_UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ms|msecs?|milliseconds?)$/i, "ms"],
  [/^(?:s|secs?|seconds?)$/i, "s"],
  [/^(?:m|mins?|minutes?)$/i, "m"],
  [/^(?:h|hrs?|hours?)$/i, "h"],
  [/^(?:d|days?)$/i, "d"],
];

const IN_DURATION =
  /\b(?:again|retry|retrying|resets?|wait|available)\b(?: (?:in|after|for|for another))?:? (?:about |approximately )?(\d+(?:\.\d+)?) ?([a-z]+)((?: ?\d+(?:\.\d+)?(?:ms|[dhms]))*)/i;
const AT_INSTANT =
  /\b(?:resets?|access|again|available|until|retry)\b (?:at|on|after)?:? ?(\d{4}-\d{2}-\d{2}(?:(?:[T ]| at )\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)? ?(?:Z\b|UTC|GMT|[+-]\d{2}:?\d{2})?)/i;

/** Milliseconds that a sentence such as `Please try again in 1m2.5s.` names; null if it names none. */
export function readWaitText(text: string, now: number): number | null {
  return durationIn(text) ?? waitUntil(text, now);
}

function durationIn(text: string): number | null {
  const [, amount, word = "", rest = ""] = IN_DURATION.exec(text) ?? [];
  const unit = NAMED_UNITS.find(([pattern]) => pattern.test(word))?.[1];
  if (amount === undefined || unit === undefined) return null;
  return Number(amount) * (UNIT_MS[unit] ?? 0) + (readGoDuration(rest.replaceAll(" ", "")) ?? 0);
}

/** A date that has passed says nothing about the wait from now. */
function waitUntil(text: string, now: number): number | null {
  const written = AT_INSTANT.exec(text)?.[1];
  const instant =
    written === undefined ? null : readInstant(written.replace(" at ", " ").trim(), now);
  return instant === null || instant <= now ? null : instant - now;
}
