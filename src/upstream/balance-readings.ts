import { memberOf } from "./model-ids.ts";

/** What an answer says of the money left. */
export type Reading =
  | { readonly kind: "known"; readonly amount: number; readonly unit: "usd" | "credits" }
  /** `reason` completes "`instance` …". */
  | { readonly kind: "unknown"; readonly reason: string };

/** Reads an answer's JSON, which a stranger wrote. */
export type ReadBalance = (body: unknown) => Reading;

const UNREADABLE: Reading = {
  kind: "unknown",
  reason: "answered something in which no balance is found",
};

export const NOT_USD: Reading = {
  kind: "unknown",
  reason: "counts in a currency other than USD",
};

const unknown = (reason: string): Reading => ({ kind: "unknown", reason });

/** `{"data":{"limit_remaining":12.5|null}}`; null says that the key itself has no limit. */
export const openrouterKey: ReadBalance = (body) => {
  const left = at(body, ["data", "limit_remaining"]);
  return left === null
    ? unknown("sets this key no limit and shows its account to management keys only")
    : dollars(left);
};

/** `{"data":{"total_credits":100.5,"total_usage":25.75}}` */
export const openrouterCredits: ReadBalance = (body) => {
  const bought = amountOf(at(body, ["data", "total_credits"]));
  const used = amountOf(at(body, ["data", "total_usage"]));
  return bought === undefined || used === undefined ? UNREADABLE : dollars(bought - used);
};

/** `{"is_available":true,"balance_infos":[{"currency":"USD","total_balance":"110.00"}]}` */
export const deepseek: ReadBalance = (body) => {
  if (memberOf(body, "is_available") === false) return dollars(0);
  const list = memberOf(body, "balance_infos");
  const accounts: readonly unknown[] = Array.isArray(list) ? list : [];
  const [first] = accounts;
  const account = accounts.find((one) => memberOf(one, "currency") === "USD") ?? first;
  return inCurrency(memberOf(account, "total_balance"), memberOf(account, "currency"));
};

/** `{"data":{"available_balance":49.58}}`, in the currency of the site. */
export const moonshot: ReadBalance = (body) => dollars(at(body, ["data", "available_balance"]));

/** `{"balance":{"credits_remaining_usd":…},"key":{"allowance":{"remaining_usd":…,"blocked":false}}}` */
export const neuralwatt: ReadBalance = (body) => {
  const allowance = at(body, ["key", "allowance"]);
  if (memberOf(allowance, "blocked") === true) return dollars(0);
  const credits = dollars(at(body, ["balance", "credits_remaining_usd"]));
  return lesser(credits, dollars(memberOf(allowance, "remaining_usd")));
};

/** `{"availableBalance":"1000000"}`, in ten-thousandths of a dollar. */
export const novita: ReadBalance = (body) => {
  const units = amountOf(memberOf(body, "availableBalance"));
  return units === undefined ? UNREADABLE : dollars(units / 10_000);
};

/** `{"data":{"totalBalance":"88.00"}}` */
export const siliconflow: ReadBalance = (body) => dollars(at(body, ["data", "totalBalance"]));

/** `{"balance":"95.50","total_used":"4.50"}` */
export const vercel: ReadBalance = (body) => dollars(memberOf(body, "balance"));

/** `{"canConsume":true,"consumptionCurrency":"USD","balances":{"diem":90.5,"usd":25}}` */
export const venice: ReadBalance = (body) => {
  const currency = memberOf(body, "consumptionCurrency");
  // What a plan includes is not counted into the flag.
  const isCounted = currency !== "BUNDLED_CREDITS";
  if (memberOf(body, "canConsume") === false && isCounted) return dollars(0);
  if (currency === "USD") return dollars(at(body, ["balances", "usd"]));
  return typeof currency === "string" ? unknown("pays from something other than USD") : UNREADABLE;
};

/**
 * `{"stripe_balance":-20.5,"recent":0.5,"suspended":false}`: what was paid ahead is negative, and what was
 * used since the last invoice is not yet taken off it. Who is invoiced afterwards has no balance.
 */
export const deepinfra: ReadBalance = (body) => {
  if (memberOf(body, "suspended") === true) return dollars(0);
  const owed = amountOf(memberOf(body, "stripe_balance"));
  const used = amountOf(memberOf(body, "recent"));
  if (owed === undefined || used === undefined) return UNREADABLE;
  return owed < 0 ? dollars(-owed - used) : unknown("is paid after use, not from a balance");
};

/** `{"current_point_balance":1500}` */
export const poe: ReadBalance = (body) => {
  const amount = amountOf(memberOf(body, "current_point_balance"));
  return amount === undefined ? UNREADABLE : { kind: "known", amount, unit: "credits" };
};

/** The smaller of two figures in one unit; whichever is known where the other is not. */
export function lesser(first: Reading, second: Reading): Reading {
  if (first.kind === "unknown") return second.kind === "known" ? second : first;
  return second.kind === "known" && second.amount < first.amount ? second : first;
}

function dollars(value: unknown): Reading {
  const amount = amountOf(value);
  return amount === undefined ? UNREADABLE : { kind: "known", amount, unit: "usd" };
}

/** An empty account is empty in any currency; other figures are never mixed with dollars. */
function inCurrency(value: unknown, currency: unknown): Reading {
  const amount = amountOf(value);
  if (amount === undefined || typeof currency !== "string") return UNREADABLE;
  if (currency === "USD" || amount <= 0) return dollars(amount);
  return NOT_USD;
}

/** Beyond this a figure is a mistake or mischief. */
const MAX_AMOUNT = 1e12;

/** A debt is a balance too: negative amounts stand. */
function amountOf(value: unknown): number | undefined {
  const isText = typeof value === "string" && /^-?\d{1,13}(\.\d{1,18})?$/.test(value);
  const amount = isText ? Number(value) : value;
  return typeof amount === "number" && Math.abs(amount) <= MAX_AMOUNT ? amount : undefined;
}

function at(body: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => memberOf(value, name), body);
}
