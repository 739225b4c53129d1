import { describe, expect, test } from "bun:test";

import { classify } from "./classify-answer.ts";

/** Codes that vendors document, on the statuses that they come with. */
test.each([
  { code: "credit_balance_exhausted", status: 429, kind: "insufficient_credit" },
  { code: "organization_usage_limit_exceeded", status: 429, kind: "insufficient_credit" },
  { code: "organization_spend_limit_exceeded", status: 429, kind: "insufficient_credit" },
  { code: "project_spend_limit_exceeded", status: 429, kind: "insufficient_credit" },
  { code: "bio_policy", status: 403, kind: "moderation" },
  { code: "misalignment_policy_violation", status: 400, kind: "moderation" },
  { code: "slow_down", status: 429, kind: "rate_limit" },
  { code: "server_is_overloaded", status: 500, kind: "overloaded" },
  { code: "blocked_api_access", status: 400, kind: "insufficient_credit" },
  { code: "credit_balance_too_low", status: 400, kind: "insufficient_credit" },
  { code: "ServiceQuotaExceededException", status: 400, kind: "rate_limit" },
  { code: "RequestExpired", status: 400, kind: "auth" },
  { code: "MPAgreementBeingCreated", status: 403, kind: "model_not_found" },
  { code: "Model.AccessDenied", status: 403, kind: "model_not_found" },
  { code: "AccessDenied.Unpurchased", status: 403, kind: "model_not_found" },
])("$code with a $status is $kind", ({ code, status, kind }) => {
  expect(classify({ status, body: { error: { message: "no", code } } }).kind).toBe(kind);
  expect(classify({ status, headers: { "x-amzn-errortype": code }, body: {} }).kind).toBe(kind);
});

test.each(["openrouter_guardrail_budget", "openrouter_workspace_budget"])(
  "OpenRouter's 403 with %s is a matter of money",
  (limit_source) => {
    const body = { error: { code: 403, message: "Budget limit", metadata: { limit_source } } };

    expect(classify({ status: 403, body }).kind).toBe("insufficient_credit");
  },
);

test("a 402 is no rate limit because of a word that a 429 has too", () => {
  const body = { error: { code: 402, message: "Prepay", status: "RESOURCE_EXHAUSTED" } };

  expect(classify({ status: 402, body }).kind).toBe("insufficient_credit");
  expect(classify({ status: 429, body }).kind).toBe("rate_limit");
});

test("Alibaba's word for tokens per minute is another vendor's for an empty account", () => {
  const code = "insufficient_quota";
  const body = { error: { message: "You exceeded your current quota.", type: code, code } };

  expect(classify({ status: 429, body, vendor: "alibaba" }).kind).toBe("rate_limit");
  expect(classify({ status: 429, body, vendor: "openai" }).kind).toBe("insufficient_credit");
});

test.each([
  {
    report: "Azure's blocked resource, no matter of one prompt",
    status: 403,
    message: "Your resource has been temporarily blocked: it may violate our content policy.",
    kind: "auth",
  },
  {
    report: "a credential of another client",
    status: 400,
    message: "This credential is only authorized for use with another product.",
    kind: "auth",
  },
  {
    report: "a long prompt that the plan does not take",
    status: 400,
    message: "The long context beta is not yet available for this subscription.",
    kind: "context_length",
  },
  {
    report: "Together's long prompt",
    status: 403,
    message: "Input token count + max_tokens must be less than the context length of the model.",
    kind: "context_length",
  },
  {
    report: "a model that may not be sampled from",
    status: 403,
    message: "You are not allowed to sample from this model",
    kind: "model_not_found",
  },
  {
    report: "a gateway's user without a model",
    status: 403,
    message: "User u is not authorized to access model a/b or model does not exist",
    kind: "model_not_found",
  },
  {
    report: "a model of a larger tier",
    status: 403,
    message: "This model is not available on your subscription tier.",
    kind: "model_not_found",
  },
  {
    report: "MiniMax's plan without a model",
    status: 500,
    message: "your current token plan not support model, x (2061)",
    kind: "model_not_found",
  },
  {
    report: "a model for paying users",
    status: 400,
    message: "This API is only accessible to billed users at this time.",
    kind: "model_not_found",
  },
  {
    report: "DeepInfra's empty account",
    status: 403,
    message: "inference prohibited, please enter a payment method",
    kind: "insufficient_credit",
  },
  {
    report: "Kimi's lapsed membership",
    status: 403,
    message: "We're unable to verify your membership benefits at this time.",
    kind: "insufficient_credit",
  },
])("$report is $kind", ({ status, message, kind }) => {
  expect(classify({ status, body: { error: { message } } }).kind).toBe(kind);
});

/** MiniMax's answer to a call that came to `status_code`. */
const answered = (status_code: number, more: object = { choices: null }) =>
  classify({
    vendor: "minimax",
    status: 200,
    headers: { "content-type": "application/json" },
    body: { ...more, base_resp: { status_code, status_msg: "said" } },
  });

describe("MiniMax answers 200 whatever happened", () => {
  test.each([
    { code: 1001, kind: "timeout" },
    { code: 1002, kind: "rate_limit" },
    { code: 1004, kind: "auth" },
    { code: 1008, kind: "insufficient_credit" },
    { code: 1026, kind: "moderation" },
    { code: 1033, kind: "server" },
    { code: 2013, kind: "bad_request" },
    { code: 2056, kind: "rate_limit" },
  ])("$code is $kind", ({ code, kind }) => {
    expect(answered(code).kind).toBe(kind);
  });

  test("zero is success, and so is an answer with choices", () => {
    const choices = [{ message: { role: "assistant", content: "hi" }, finish_reason: "stop" }];

    expect(answered(0).reason).toBe("an answer that holds no error");
    expect(answered(1000, { choices }).reason).toBe("an answer that holds no error");
  });
});
