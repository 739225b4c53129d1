import type { FailureKind } from "./failure.ts";

type CodeTable = readonly (readonly [kind: FailureKind, codes: readonly string[]])[];

/** Words that mean one thing wherever they stand, whatever the HTTP status says. */
const TELLING: CodeTable = [
  [
    "insufficient_credit",
    [
      "insufficient_quota",
      "exceeded_current_quota_error",
      "insufficient_balance",
      "insufficient_credit",
      "insufficient_credits",
      "insufficient_funds",
      "insufficient_user_quota",
      "not_enough_credits",
      "paid_plan_required",
      "payment_required",
      "creditserror",
      "billing_error",
      "billing_not_active",
      "billing_disabled",
      "ureq_project_billing_not_found",
      "customer_verification_required",
      "accountoverdueerror",
      "not_enough_balance",
      "budget_exceeded",
      "usage_not_included",
      "pre_consume_token_quota_failed",
      "allocationquota.freetieronly",
      "credit_balance_exhausted",
      "credit_balance_too_low",
      "organization_usage_limit_exceeded",
      "organization_spend_limit_exceeded",
      "project_spend_limit_exceeded",
      "blocked_api_access",
      "openrouter_guardrail_budget",
      "openrouter_workspace_budget",
      "billing_hard_limit_reached",
      "arrearage",
      "enforced_spend_limit_reached",
      "contract_spend_limit_reached",
      "ramp_limit_exceeded",
      "openrouter_credits",
      "openrouter_key_limit",
      "1113",
    ],
  ],
  [
    "auth",
    [
      "invalid_api_key",
      "incorrect_api_key",
      "api_key_invalid",
      "expired_api_key",
      "invalid_authentication_error",
      "authentication_error",
      "unauthenticated",
      "account_deactivated",
      "access_terminated",
      "organization_restricted",
      "consumer_suspended",
      "organization_on_hold",
      "unsupported_country_region_territory",
      "unrecognizedclientexception",
      "invalidclienttokenid",
      "incompletesignature",
      "requestexpired",
      "expiredtokenexception",
    ],
  ],
  [
    "model_not_found",
    [
      "model_not_found",
      "modelerror",
      "invalid_model",
      "unsupported_model",
      "model_not_supported",
      "model_decommissioned",
      "model_not_available",
      "model_permission_blocked_org",
      "model_permission_blocked_project",
      "model_terms_required",
      "key_model_access_denied",
      "team_model_access_denied",
      "no_access",
      "model.accessdenied",
      "accessdenied.unpurchased",
      "mpagreementbeingcreated",
      "ftuformnotfilled",
      "deploymentnotfound",
      "no_endpoints",
    ],
  ],
  [
    "context_length",
    [
      "context_length_exceeded",
      "exceed_context_size_error",
      "model_context_window_exceeded",
      "tokens_limit_reached",
      "request_too_large",
      "1261",
    ],
  ],
  [
    "moderation",
    [
      "flagged_input",
      "content_filter",
      "content_policy",
      "content_policy_violation",
      "responsibleaipolicyviolation",
      "moderation_blocked",
      "bio_policy",
      "misalignment_policy_violation",
      "data_inspection_failed",
      "datainspectionfailed",
    ],
  ],
  [
    "overloaded",
    [
      "overloaded_error",
      "model_capacity_exhausted",
      "capacity_exceeded",
      "capacity_exhausted",
      "provider_unavailable",
      "temporarily_unavailable",
      "unavailable_error",
      "unavailable",
      "engine_overloaded_error",
      "server_is_overloaded",
      "upstream_overloaded",
      "router_busy",
      "serviceunavailableexception",
      "modelnotreadyexception",
    ],
  ],
  [
    "rate_limit",
    [
      "too_many_requests",
      "too_many_tokens_error",
      "token_quota_exceeded",
      "request_quota_exceeded",
      "rate_limit_reached_error",
      "freeusagelimiterror",
      "throttlingexception",
      "servicequotaexceededexception",
      "slow_down",
      "openrouter_in_flight_budget",
      "upstream_provider_shared_pool",
    ],
  ],
  [
    "unsupported_param",
    [
      "unsupported_parameter",
      "unsupported_value",
      "unknown_parameter",
      "extra_forbidden",
      "not_supported_error",
    ],
  ],
  [
    "bad_request",
    [
      "invalid_encrypted_content",
      "integer_below_min_value",
      "integer_above_max_value",
      "invalid_type",
      "invalid_value",
      "missing_required_parameter",
    ],
  ],
  // The model wrote a call or an object that does not parse: another try may well do better.
  ["server", ["tool_use_failed", "json_validate_failed"]],
  // A router that meets itself is a fault of configuration and will not pass.
  ["bad_upstream", ["routing_loop"]],
];

/** Words that some vendors put on anything: they count after the text, if the status leaves room. */
const VAGUE: CodeTable = [
  [
    "rate_limit",
    [
      "rate_limit_error",
      "rate_limit_exceeded",
      "rate_limit",
      "rate_limited",
      "resource_exhausted",
      "throttling",
      "throttling.ratequota",
      "throttling.allocationquota",
      "requests",
      "tokens",
    ],
  ],
  ["auth", ["permission_error", "permission_denied", "unauthorized", "forbidden"]],
  ["model_not_found", ["not_found_error", "not_found"]],
  [
    "bad_request",
    [
      "invalid_request_error",
      "invalid_request",
      "invalid_argument",
      "invalid_parameter_error",
      "bad_request_error",
      "bad_request",
      "validation_error",
      "validationexception",
      "failed_precondition",
      "2013",
    ],
  ],
  ["timeout", ["timeout_error", "deadline_exceeded", "request_timeout", "upstream_timeout"]],
  [
    "server",
    [
      "api_error",
      "server_error",
      "internal_error",
      "internal_server_error",
      "internal",
      "provider_error",
      "upstream_error",
    ],
  ],
];

/** Codes that mean this only at one vendor, whatever they mean elsewhere; the vendor is a hint and may be missing. */
const VENDOR_TELLING: readonly { readonly vendor: RegExp; readonly codes: CodeTable }[] = [
  {
    vendor: /z\.?ai|zhipu|bigmodel/i,
    codes: [
      ["auth", ["1110", "1111", "1112", "1121"]],
      ["insufficient_credit", ["1309"]],
      ["model_not_found", ["1211", "1311"]],
      ["moderation", ["1301"]],
      ["rate_limit", ["1302", "1303", "1304", "1305", "1308", "1310", "1313"]],
      ["overloaded", ["1312"]],
    ],
  },
  {
    vendor: /minimax/i,
    codes: [
      ["auth", ["1004", "2049"]],
      ["insufficient_credit", ["1008"]],
      ["model_not_found", ["2061"]],
      ["moderation", ["1026", "1027"]],
      ["rate_limit", ["1002", "2045", "2056"]],
      ["timeout", ["1001"]],
    ],
  },
  // Its word for tokens per minute; an account that owes is `Arrearage`.
  { vendor: /alibaba|dashscope|qwen/i, codes: [["rate_limit", ["insufficient_quota"]]] },
];

function index(table: CodeTable): ReadonlyMap<string, FailureKind> {
  return new Map(table.flatMap(([kind, codes]) => codes.map((code) => [code, kind] as const)));
}

const telling = index(TELLING);
const vague = index(VAGUE);
const byVendor = VENDOR_TELLING.map(({ vendor, codes }) => ({ vendor, codes: index(codes) }));

export interface CodeMatch {
  readonly kind: FailureKind;
  readonly code: string;
}

/** The first code that settles the matter alone. */
export function tellingCode(codes: readonly string[], vendor: string): CodeMatch | undefined {
  const tables = byVendor.filter((entry) => entry.vendor.test(vendor)).map((entry) => entry.codes);
  return firstMatch(codes, [...tables, telling]);
}

/** The first code that hints at a kind. */
export function vagueCode(codes: readonly string[]): CodeMatch | undefined {
  return firstMatch(codes, [vague]);
}

function firstMatch(
  codes: readonly string[],
  tables: readonly ReadonlyMap<string, FailureKind>[],
): CodeMatch | undefined {
  for (const code of codes) {
    const kind = tables.map((table) => table.get(code)).find((found) => found !== undefined);
    if (kind !== undefined) return { kind, code };
  }
  return undefined;
}

/**
 * The first code that may be stored and shown: one of our own list, or a short number. Any other
 * word is the upstream's text, which could repeat a prompt or a key.
 */
export function storableCode(codes: readonly string[]): string | null {
  return codes.find(isStorable) ?? null;
}

function isStorable(code: string): boolean {
  return telling.has(code) || vague.has(code) || /^\d{1,5}$/.test(code);
}
