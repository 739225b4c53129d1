import { expect, test } from "bun:test";

import { classify, type Row } from "./classify-answer.ts";
import { anthropic, google } from "./vendor-bodies.ts";

const credit: Row["wants"] = {
  kind: "insufficient_credit",
  affects_health: "instance",
  cooldown_ms: 600_000,
};
const unpaidModel: Row["wants"] = {
  kind: "insufficient_credit",
  affects_health: "target",
  cooldown_ms: 600_000,
};

const UNPAID: readonly Row[] = [
  {
    report: "Google without billing, by its reason",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "Not possible.", "BILLING_DISABLED"),
    wants: credit,
  },
  {
    report: "Google without billing, by its text",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "This method requires billing to be enabled."),
    wants: credit,
  },
  {
    report: "a Google project whose billing was turned off",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "Project p-1 (#1) has billing disabled."),
    wants: credit,
  },
  {
    report: "a closed billing account",
    status: 403,
    body: google(403, "PERMISSION_DENIED", "The billing account for the project is disabled."),
    wants: credit,
  },
  {
    report: "a precondition that billing would meet",
    status: 400,
    body: google(400, "FAILED_PRECONDITION", "Please enable billing on your project."),
    wants: credit,
  },
  {
    report: "a country that only paying accounts may call from",
    status: 400,
    body: google(400, "FAILED_PRECONDITION", "Location not supported without a billing account."),
    wants: credit,
  },
  {
    report: "Google's cap on spending",
    status: 429,
    body: google(429, "RESOURCE_EXHAUSTED", "The project exceeded its monthly spending cap."),
    wants: credit,
  },
  {
    report: "an inactive account whose code a relay dropped",
    status: 429,
    body: { error: { message: "Your account is not active, check your billing details." } },
    wants: credit,
  },
  {
    report: "Vercel without a card, by its code",
    status: 403,
    body: { error: { message: "Not yet.", type: "customer_verification_required" } },
    wants: credit,
  },
  {
    report: "Vercel without a card, by its text",
    status: 403,
    body: { error: { message: "The gateway requires a valid credit card on file." } },
    wants: credit,
  },
  {
    report: "Bedrock without a way to pay",
    status: 403,
    headers: { "x-amzn-errortype": "AccessDeniedException" },
    body: { message: "Model access is denied due to INVALID_PAYMENT_INSTRUMENT." },
    wants: credit,
  },
  {
    report: "SiliconFlow's balance, words the other way round",
    status: 403,
    body: { code: 30001, message: "Sorry, your account balance is insufficient", data: null },
    wants: credit,
  },
  {
    report: "Novita's balance",
    status: 403,
    body: { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "not enough balance" },
    wants: credit,
  },
  {
    report: "Volcengine's overdue account",
    status: 403,
    body: {
      error: { code: "AccountOverdueError", message: "The account has an overdue balance." },
    },
    wants: credit,
  },
  {
    report: "Fireworks' unpaid invoices",
    status: 412,
    body: { error: "Account a is suspended, possibly due to failure to pay past invoices" },
    wants: credit,
  },
  {
    report: "OpenRouter's limit of a key without its code",
    status: 403,
    body: { error: { message: "Key limit exceeded (total limit).", code: 403 } },
    wants: credit,
  },
  {
    report: "LiteLLM's budget",
    status: 400,
    body: { error: { message: "Budget has been exceeded!", type: "budget_exceeded", code: "400" } },
    wants: credit,
  },
  {
    report: "a key's budget, as a gateway words it",
    status: 403,
    body: { error: { message: "This key has exceeded its monthly budget.", code: 403 } },
    wants: credit,
  },
  {
    report: "Hugging Face's included credits behind a relay's 400",
    status: 400,
    body: { error: "You have depleted your monthly included credits." },
    wants: credit,
  },
  {
    report: "NVIDIA's credits that ran out of time",
    status: 403,
    body: { detail: "Cloud credits expired." },
    wants: credit,
  },
  {
    report: "a lapsed plan that a vendor answers with 401",
    status: 401,
    body: { error: { message: "No active subscription found for this key." } },
    wants: credit,
  },
  {
    report: "Anthropic's used-up extra usage",
    status: 400,
    body: anthropic("invalid_request_error", "You're out of extra usage. Add more and keep going."),
    wants: credit,
  },
  {
    report: "Kimi's plan, by period of billing",
    status: 403,
    body: anthropic("permission_error", "You've reached your usage limit for this billing cycle."),
    wants: credit,
  },
  {
    report: "Kimi's plan, by week",
    status: 403,
    body: {
      error: {
        message: "You've reached your weekly (7-day) usage limit. Upgrade your plan.",
        type: "access_terminated_error",
      },
    },
    wants: credit,
  },
  {
    report: "Z.AI's plan that ran out",
    status: 429,
    vendor: "zai",
    body: { error: { code: "1309", message: "Your GLM Coding Plan package has expired." } },
    wants: credit,
  },
  {
    report: "Mistral's lapsed subscription",
    status: 403,
    body: { message: "Inactive subscription" },
    wants: credit,
  },
  {
    report: "a plan without Codex",
    status: 429,
    body: { error: { type: "usage_not_included", message: "no" } },
    wants: credit,
  },
  {
    report: "a token of one-api that is used up",
    status: 403,
    body: { error: { message: "该令牌额度已用尽", type: "new_api_error" } },
    wants: credit,
  },
  {
    report: "DashScope's free tier, which is each model's own",
    status: 403,
    body: {
      error: {
        message: "The free tier of the model has been exhausted.",
        type: "AllocationQuota.FreeTierOnly",
        code: "AllocationQuota.FreeTierOnly",
      },
    },
    wants: unpaidModel,
  },
];

test.each(UNPAID)("$report", ({ wants, ...answer }) => {
  expect(classify(answer)).toMatchObject(wants);
});

test.each([
  {
    report: "OpenAI's advice to an account that calls too often",
    status: 429,
    message: "Rate limit reached on RPM. You can increase it by adding a payment method.",
    kind: "rate_limit",
  },
  {
    report: "a budget for thinking",
    status: 400,
    message: "thinking.budget_tokens exceeds the budget of max_tokens",
    kind: "bad_request",
  },
  {
    report: "a budget for thinking that is used up",
    status: 400,
    message: "The thinking budget has been exceeded",
    kind: "bad_request",
  },
  {
    report: "Azure's word for a bad key",
    status: 401,
    message: "Invalid subscription key. Provide a valid key for an active subscription.",
    kind: "auth",
  },
  {
    report: "a plan's hourly limit",
    status: 429,
    message: "you've reached your hourly usage limit, please upgrade to continue",
    kind: "rate_limit",
  },
])("$report is still $kind", ({ status, message, kind }) => {
  expect(classify({ status, body: { error: { message } } }).kind).toBe(kind);
});
