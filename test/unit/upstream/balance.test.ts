import { expect, test } from "bun:test";

import { assert, constantFrom, jsonValue, property } from "fast-check";

import { providerType } from "../../../src/catalog/provider-types.ts";
import type { Reading } from "../../../src/upstream/balance-readings.ts";
import { probeBalance, probeCalls } from "../../../src/upstream/balance.ts";
import type { Fetch } from "../../../src/upstream/fetch.ts";
import { identity, sampleInstance } from "./samples.ts";

const { signal } = new AbortController();

function instanceOf(id: string, base_url?: string) {
  const type = providerType(id);
  if (type === undefined) throw new Error(`no type ${id}`);
  return sampleInstance({
    type,
    base_url: base_url ?? type.base_url ?? "",
    credential: "sk-secret",
  });
}

interface Asked {
  readonly reading: Reading;
  readonly urls: readonly string[];
}

/** Answers by the end of the path; anything else is 404. */
async function ask(
  id: string,
  answers: Readonly<Record<string, Response | (() => Response)>>,
  base_url?: string,
): Promise<Asked> {
  const urls: string[] = [];
  const fetch: Fetch = (url) => {
    urls.push(url);
    const answer = Object.entries(answers).find(([path]) => url.endsWith(path))?.[1];
    const response = typeof answer === "function" ? answer() : answer;
    return Promise.resolve(response ?? new Response("", { status: 404 }));
  };
  const reading = await probeBalance({
    fetch,
    instance: instanceOf(id, base_url),
    identity,
    signal,
  });
  return { reading, urls };
}

const usd = (amount: number): Reading => ({ kind: "known", amount, unit: "usd" });

test.each<{ id: string; url: string; body: object; reading: Reading }>([
  {
    id: "deepseek",
    url: "https://api.deepseek.com/user/balance",
    body: { is_available: true, balance_infos: [{ currency: "USD", total_balance: "110.00" }] },
    reading: usd(110),
  },
  {
    id: "deepinfra",
    url: "https://api.deepinfra.com/payment/checklist?compute_owed=true",
    body: { stripe_balance: -20.5, recent: 0.5, limit: null, suspended: false },
    reading: usd(20),
  },
  {
    id: "moonshot",
    url: "https://api.moonshot.ai/v1/users/me/balance",
    body: { code: 0, data: { available_balance: 49.58, cash_balance: 3 }, status: true },
    reading: usd(49.58),
  },
  {
    id: "neuralwatt",
    url: "https://api.neuralwatt.com/v1/quota",
    body: { balance: { credits_remaining_usd: 4.25 }, key: { allowance: null } },
    reading: usd(4.25),
  },
  {
    id: "novita",
    url: "https://api.novita.ai/openapi/v1/billing/balance/detail",
    body: { availableBalance: "1000000", cashBalance: "800000" },
    reading: usd(100),
  },
  {
    id: "siliconflow",
    url: "https://api.siliconflow.com/v1/user/info",
    body: { code: 20_000, data: { balance: "0.88", totalBalance: "88.88" } },
    reading: usd(88.88),
  },
  {
    id: "vercel",
    url: "https://ai-gateway.vercel.sh/v1/credits",
    body: { balance: "95.50", total_used: "4.50" },
    reading: usd(95.5),
  },
  {
    id: "venice",
    url: "https://api.venice.ai/api/v1/billing/balance",
    body: { canConsume: true, consumptionCurrency: "USD", balances: { diem: 90.5, usd: 25 } },
    reading: usd(25),
  },
  {
    id: "poe",
    url: "https://api.poe.com/usage/current_balance",
    body: { current_point_balance: 1500 },
    reading: { kind: "known", amount: 1500, unit: "credits" },
  },
])("$id is asked at $url", async ({ id, url, body, reading }) => {
  const asked = await ask(id, { [url]: Response.json(body) });

  expect(asked).toEqual({ reading, urls: [url] });
});

const KEY = "https://openrouter.ai/api/v1/key";
const CREDITS = "https://openrouter.ai/api/v1/credits";
const key = (limit_remaining: number | null) => Response.json({ data: { limit_remaining } });
const credits = (total_credits: number, total_usage: number) =>
  Response.json({ data: { total_credits, total_usage } });
const forbidden = () => new Response("", { status: 403 });

test.each<{ what: string; limit: Response; account: Response; reading: Reading }>([
  {
    what: "what the key may spend",
    limit: key(12.5),
    account: forbidden(),
    reading: usd(12.5),
  },
  {
    what: "what the account holds",
    limit: key(null),
    account: credits(100, 25.75),
    reading: usd(74.25),
  },
  {
    what: "the smaller of both",
    limit: key(50),
    account: credits(10, 9),
    reading: usd(1),
  },
  {
    what: "a debt",
    limit: key(null),
    account: credits(10, 10.5),
    reading: usd(-0.5),
  },
  {
    what: "nothing, of an unlimited key that may not see its account",
    limit: key(null),
    account: forbidden(),
    reading: {
      kind: "unknown",
      reason: "sets this key no limit and shows its account to management keys only",
    },
  },
  {
    what: "nothing, of a key that is refused",
    limit: new Response("", { status: 401 }),
    account: new Response("", { status: 401 }),
    reading: { kind: "unknown", reason: "refused the credential (HTTP 401)" },
  },
])("OpenRouter tells $what", async ({ limit, account, reading }) => {
  const asked = await ask("openrouter", { "/key": limit, "/credits": account });

  expect(asked).toEqual({ reading, urls: [KEY, CREDITS] });
});

test.each<{ what: string; id: string; base_url?: string; body: object; reading: Reading }>([
  {
    what: "an account that the vendor calls unavailable",
    id: "deepseek",
    body: { is_available: false, balance_infos: [{ currency: "CNY", total_balance: "3.00" }] },
    reading: usd(0),
  },
  {
    what: "dollars beside yuan",
    id: "deepseek",
    body: {
      is_available: true,
      balance_infos: [
        { currency: "CNY", total_balance: "70.00" },
        { currency: "USD", total_balance: "1.50" },
      ],
    },
    reading: usd(1.5),
  },
  {
    what: "yuan alone, which are no dollars",
    id: "deepseek",
    body: { is_available: true, balance_infos: [{ currency: "CNY", total_balance: "70.00" }] },
    reading: { kind: "unknown", reason: "counts in a currency other than USD" },
  },
  {
    what: "no yuan, which is empty in any currency",
    id: "deepseek",
    body: { is_available: true, balance_infos: [{ currency: "CNY", total_balance: "0.00" }] },
    reading: usd(0),
  },
  {
    what: "yuan of a host in China",
    id: "moonshot",
    base_url: "https://api.moonshot.cn/v1",
    body: { data: { available_balance: 49.58 } },
    reading: { kind: "unknown", reason: "counts in a currency other than USD" },
  },
  {
    what: "an empty account of a host in China",
    id: "moonshot",
    base_url: "https://api.moonshot.cn/v1",
    body: { data: { available_balance: 0 } },
    reading: usd(0),
  },
  {
    what: "a key's allowance below the account",
    id: "neuralwatt",
    body: { balance: { credits_remaining_usd: 9 }, key: { allowance: { remaining_usd: 2 } } },
    reading: usd(2),
  },
  {
    what: "a blocked key",
    id: "neuralwatt",
    body: { balance: { credits_remaining_usd: 9 }, key: { allowance: { blocked: true } } },
    reading: usd(0),
  },
  {
    what: "an account that is invoiced afterwards",
    id: "deepinfra",
    body: { stripe_balance: 3, recent: 12, limit: 50, suspended: false },
    reading: { kind: "unknown", reason: "is paid after use, not from a balance" },
  },
  {
    what: "a suspended account, whatever it holds",
    id: "deepinfra",
    body: { stripe_balance: -5, recent: 0, suspended: true },
    reading: usd(0),
  },
  {
    what: "more used than was paid ahead",
    id: "deepinfra",
    body: { stripe_balance: -5, recent: 6, suspended: false },
    reading: usd(-1),
  },
  {
    what: "an account that lives on what its plan includes",
    id: "venice",
    body: { canConsume: false, consumptionCurrency: "BUNDLED_CREDITS", balances: { usd: 0 } },
    reading: { kind: "unknown", reason: "pays from something other than USD" },
  },
  {
    what: "nothing to pay from",
    id: "venice",
    body: { canConsume: false, consumptionCurrency: null, balances: { diem: 0, usd: 0 } },
    reading: usd(0),
  },
  {
    what: "what is paid from something else",
    id: "venice",
    body: { canConsume: true, consumptionCurrency: "DIEM", balances: { diem: 3, usd: 0 } },
    reading: { kind: "unknown", reason: "pays from something other than USD" },
  },
])("$id: $what", async ({ id, base_url, body, reading }) => {
  const answers = { "": () => Response.json(body) };

  expect((await ask(id, answers, base_url)).reading).toEqual(reading);
});

const NOT_FOUND_IN = "answered something in which no balance is found";

test.each<{ what: string; answer: Response; reason: string }>([
  {
    what: "an error page",
    answer: new Response("<html>", { status: 502 }),
    reason: "answered HTTP 502",
  },
  {
    what: "a redirect, with the credential kept at home",
    answer: new Response("", { status: 302, headers: { location: "https://evil.example/" } }),
    reason: "redirects to `evil.example`, which is not followed",
  },
  { what: "no JSON", answer: new Response("balance: 5"), reason: NOT_FOUND_IN },
  { what: "nothing", answer: Response.json({}), reason: NOT_FOUND_IN },
  { what: "a number in words", answer: Response.json({ balance: "plenty" }), reason: NOT_FOUND_IN },
  { what: "no number", answer: new Response('{"balance":1e999}'), reason: NOT_FOUND_IN },
  {
    what: "a number beyond all money",
    answer: Response.json({ balance: 1e30 }),
    reason: NOT_FOUND_IN,
  },
  {
    what: "more than a balance takes",
    answer: new Response(`{"balance":"1"${" ".repeat(300_000)}}`),
    reason: NOT_FOUND_IN,
  },
])("$what is unknown, with its reason", async ({ answer, reason }) => {
  const { reading } = await ask("vercel", { "/credits": answer });

  expect(reading).toEqual({ kind: "unknown", reason });
});

test("a vendor that cannot be reached is unknown too", async () => {
  const reading = await probeBalance({
    fetch: () => Promise.reject(new TypeError("no")),
    instance: instanceOf("vercel"),
    identity,
    signal,
  });

  expect(reading).toEqual({ kind: "unknown", reason: "failed" });
});

test("only GETs with the instance's own credential go out, without a body", async () => {
  const sent: unknown[][] = [];
  const fetch: Fetch = (_url, init) => {
    const headers = new Headers(init.headers);
    sent.push([init.method, headers.get("authorization"), init.redirect, init.body]);
    return Promise.resolve(Response.json({ balance: "1" }));
  };

  await probeBalance({ fetch, instance: instanceOf("vercel"), identity, signal });

  expect(sent).toEqual([["GET", "Bearer sk-secret", "manual", undefined]]);
});

test.each(["openai", "anthropic", "groq", "xai", "together", "gemini", "ollama", "sim"])(
  "%s has nothing to ask",
  async (id) => {
    expect(probeCalls(instanceOf(id))).toBe(0);
    expect((await ask(id, {})).urls).toEqual([]);
  },
);

const PROBED = ["openrouter", "deepseek", "moonshot", "neuralwatt", "novita"] as const;
const WORDS = [
  "data",
  "balance",
  "key",
  "balance_infos",
  "availableBalance",
  "limit_remaining",
  "recent",
];

test("whatever JSON arrives, a balance is a finite number or unknown", async () => {
  const types = constantFrom(...PROBED, "siliconflow", "vercel", "venice", "poe", "deepinfra");
  const seen: { id: string; body: unknown }[] = [];
  assert(
    property(types, jsonValue(), constantFrom(...WORDS), (id, value, word) => {
      seen.push({ id, body: value }, { id, body: { [word]: value, data: { [word]: value } } });
    }),
    { numRuns: 200 },
  );

  const readings = await Promise.all(
    seen.map(async ({ id, body }) => (await ask(id, { "": () => Response.json(body) })).reading),
  );

  expect(
    readings.filter((reading) => reading.kind === "known" && !Number.isFinite(reading.amount)),
  ).toEqual([]);
});
