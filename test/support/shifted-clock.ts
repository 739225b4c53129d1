/**
 * Moves the calendar of the process by `VERIROUTE_TEST_SHIFT_YEARS`, to find what holds only today.
 * Time that has passed (`performance.now`, timers) is as it was.
 */
const years = Number(process.env["VERIROUTE_TEST_SHIFT_YEARS"] ?? 0);
const MS_OF_A_YEAR = 365.2425 * 24 * 3600 * 1000;

if (years !== 0) {
  const RealDate = Date;
  const now = () => RealDate.now() + Math.round(years * MS_OF_A_YEAR);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget): object =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver): unknown =>
      name === "now" ? now : Reflect.get(target, name, receiver),
  });
}

/** What makes a Bun that is started with it, compiled or not, move its calendar, too. */
export const SHIFT_ENVIRONMENT: Readonly<Record<string, string>> =
  years === 0
    ? {}
    : { VERIROUTE_TEST_SHIFT_YEARS: String(years), BUN_OPTIONS: `--preload=${import.meta.path}` };
