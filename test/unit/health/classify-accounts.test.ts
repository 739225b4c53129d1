import { expect, test } from "bun:test";

import { classify, type Row } from "./classify-answer.ts";
import { anthropic, google } from "./vendor-bodies.ts";

const auth: Row["wants"] = { kind: "auth", affects_health: "instance", cooldown_ms: null };
const noModel: Row["wants"] = {
  kind: "model_not_found",
  affects_health: "target",
  cooldown_ms: 600_000,
};
const moderation: Row["wants"] = { kind: "moderation", affects_health: "none", cooldown_ms: 0 };

const CLOSED: readonly Row[] = [
  {
    report: "Anthropic's disabled organization",
    status: 400,
    body: anthropic("invalid_request_error", "This organization has been disabled."),
    wants: auth,
  },
  {
    report: "Groq's restricted organization",
    status: 400,
    body: {
      error: {
        message: "Organization has been restricted.",
        type: "invalid_request_error",
        code: "organization_restricted",
      },
    },
    wants: auth,
  },
  {
    report: "an account that was closed for what it did, not a prompt that was refused",
    status: 403,
    body: { error: { message: "Your access was terminated due to violation of our policies." } },
    wants: auth,
  },
  {
    report: "Google's suspended consumer behind a relay's 400",
    status: 400,
    body: google(400, "PERMISSION_DENIED", "Consumer has been suspended.", "CONSUMER_SUSPENDED"),
    wants: auth,
  },
  {
    report: "a locked account at Z.AI",
    status: 429,
    vendor: "zai",
    body: { error: { code: "1112", message: "Your account has been locked" } },
    wants: auth,
  },
  {
    report: "Gemini from a country it does not serve",
    status: 400,
    body: google(400, "FAILED_PRECONDITION", "User location is not supported for the API use."),
    wants: auth,
  },
  {
    report: "a country that is not supported, whose code a relay dropped",
    status: 400,
    body: { error: { message: "Country, region, or territory not supported" } },
    wants: auth,
  },
];

const NOT_ENTITLED: readonly Row[] = [
  {
    report: "Bedrock without access to a model",
    status: 403,
    headers: { "x-amzn-errortype": "AccessDeniedException" },
    body: { message: "You don't have access to the model with the specified model ID." },
    wants: noModel,
  },
  {
    report: "Bedrock without a marketplace subscription",
    status: 403,
    headers: { "x-amzn-errortype": "AccessDeniedException" },
    body: { message: "Model access is denied due to the service role's rights." },
    wants: noModel,
  },
  {
    report: "a vendor's models that Bedrock does not offer everywhere",
    status: 400,
    body: { message: "Access to Anthropic models is not allowed from unsupported countries." },
    wants: noModel,
  },
  {
    report: "Bedrock's model that only a profile reaches",
    status: 400,
    headers: { "x-amzn-errortype": "ValidationException" },
    body: { message: "Invocation of model ID x with on-demand throughput isn’t supported." },
    wants: noModel,
  },
  {
    report: "Groq's model that an organization switched off",
    status: 403,
    body: {
      error: {
        message: "The model `groq/compound` is blocked at the organization level.",
        type: "permissions_error",
        code: "model_permission_blocked_org",
      },
    },
    wants: noModel,
  },
  {
    report: "Groq's model whose terms nobody accepted",
    status: 400,
    body: {
      error: {
        message: "The model `x` requires terms acceptance.",
        type: "invalid_request_error",
        code: "model_terms_required",
      },
    },
    wants: noModel,
  },
  {
    report: "Ollama's model for subscribers",
    status: 403,
    body: anthropic("permission_error", "this model requires a subscription, upgrade for access"),
    wants: noModel,
  },
  {
    report: "OpenAI's model for verified organizations",
    status: 403,
    body: { error: { message: "Your organization must be verified to use the model `gpt-x`." } },
    wants: noModel,
  },
  {
    report: "an OpenAI project without a model, whose code a relay dropped",
    status: 403,
    body: { error: { message: "Project `proj_x` does not have access to model `gpt-x`" } },
    wants: noModel,
  },
  {
    report: "GitHub's model outside the plan",
    status: 403,
    body: { error: { code: "no_access", message: "No access to model: o3" } },
    wants: noModel,
  },
  {
    report: "LiteLLM's team without a model",
    status: 401,
    body: {
      error: {
        message: "team not allowed to access model. This team can only access models=['a']",
        type: "team_model_access_denied",
        code: "401",
      },
    },
    wants: noModel,
  },
  {
    report: "Together's model without a serverless endpoint",
    status: 400,
    body: {
      error: {
        message: "Unable to access non-serverless model a/b.",
        type: "invalid_request_error",
        code: "model_not_available",
      },
    },
    wants: noModel,
  },
  {
    report: "a Vertex project that may not use a publisher's model",
    status: 400,
    body: google(400, "FAILED_PRECONDITION", "Project `1` is not allowed to use Publisher Model."),
    wants: noModel,
  },
  {
    report: "Z.AI's model that the plan lacks",
    status: 429,
    vendor: "zai",
    body: { error: { code: "1311", message: "The subscription does not include glm-x" } },
    wants: noModel,
  },
  {
    report: "a model that is not served in the caller's region",
    status: 403,
    body: { error: { message: "This model is not available in your region.", code: 403 } },
    wants: noModel,
  },
];

const CONTENT: readonly Row[] = [
  {
    report: "xAI's refusal of a text, which carries a word of permissions",
    status: 403,
    body: { code: "permission-denied", error: "Content violates usage guidelines. " },
    wants: moderation,
  },
  {
    report: "DeepSeek's refusal of a text",
    status: 400,
    body: { error: { message: "Content Exists Risk", code: "invalid_request_error" } },
    wants: moderation,
  },
];

test.each([...CLOSED, ...NOT_ENTITLED, ...CONTENT])("$report", ({ wants, ...answer }) => {
  expect(classify(answer)).toMatchObject(wants);
});

test.each([
  { report: "rights of a key", status: 403, message: "insufficient permissions", kind: "auth" },
  {
    report: "an API that a project never switched on",
    status: 403,
    message: "Generative Language API has not been used in project 1 before or it is disabled.",
    kind: "auth",
  },
  {
    report: "a prompt that a filter blocked",
    status: 400,
    message: "The user's input was flagged: the account is not at fault",
    kind: "moderation",
  },
  {
    report: "one thing that an account may not do",
    status: 400,
    message: "Your organization is restricted from using web search",
    kind: "bad_request",
  },
  {
    report: "a place of a file",
    status: 400,
    message: "The location of the image is not supported",
    kind: "bad_request",
  },
  {
    report: "a field that names a region",
    status: 400,
    message: "Invalid value for `region`: expected a string",
    kind: "bad_request",
  },
])("$report is still $kind", ({ status, message, kind }) => {
  expect(classify({ status, body: { error: { message } } }).kind).toBe(kind);
});

test.each([
  {
    report: "a trial key's calls of the month",
    body: { message: "You are using a Trial key, which is limited to 1000 API calls / month." },
  },
  {
    report: "a quota of nothing, with a delay of seconds",
    body: google(
      429,
      "RESOURCE_EXHAUSTED",
      "Quota exceeded for free_tier_requests, limit: 0, retry in 25s",
    ),
  },
])("$report is not asked again within the hour", ({ body }) => {
  expect(classify({ status: 429, body })).toMatchObject({
    kind: "rate_limit",
    cooldown_ms: 3_600_000,
  });
});

test.each([
  "Please enable billing",
  "Budget has been exceeded",
  "This organization has been disabled",
  "no access to the model",
  "country not supported",
])("a client's own words `%s`, quoted in an error about a parameter, bench nobody", (quoted) => {
  const error = { message: `Invalid value: '${quoted}'`, param: "messages[0].role", code: null };

  expect(classify({ status: 400, body: { error } })).toMatchObject({
    kind: "bad_request",
    affects_health: "none",
  });
});
