import { ACCOUNT_RULES, REGION_RULE } from "./account-rules.ts";
import type { Evidence, TextRule } from "./text-rule.ts";

const INPUT_STATUS = [400, 413, 422, 500];

const CREDIT =
  /credit balance is too low|insufficient[ _](?:account )?(?:balance|funds|credits?|quota)|not enough credits|out of credits|used all available credits|(?:monthly|reached your) spend(?:ing)? limit|doesn'?t have any credits|(?:purchase|requires|add) more credits|can only afford|credits? (?:have been |has been |are |is )?(?:exhausted|depleted)|recharge your account|please recharge|specified API usage limits|余额不足|欠费/i;

const CONTEXT =
  /(?:maximum|max) (?:allowed )?(?:context|prompt|input) length|context[ _](?:window|size|length|limit)[^.]{0,40}exceed|exceed(?:s|ed)?[^.]{0,60}(?:context|(?:input|prompt|max(?:imum)?) length|token limit)|(?:prompt|input) is too long|reduce the length of|range of input length|too many (?:input|prompt) tokens/i;

const MODERATION =
  /content management policy|(?:content|safety) (?:policy|policies|filter|system)|violat\w+[^.]{0,40}(?:polic|guidelines)|content exists risk|input was flagged|flagged (?:as|by|for)|blocked: prompt|prompt (?:was )?blocked|prohibited[ _]?content|responsible ?ai/i;

const MODEL =
  /\bmodels?\b[\s:/]*["'`]?[\w./:@-]*["'`]? (?:(?:is|was|are|has been|does) )?(?:not (?:found|exist|supported|available)|deprecated|decommissioned|removed|no longer (?:available|supported))|unknown model|no such model|no model found|not a valid model|invalid model(?: name| id|:)|no endpoints found|not found for (?:API version|account)/i;

const AUTH =
  /api[ _-]?key (?:is )?(?:not valid|invalid|expired|incorrect)|(?:invalid|incorrect|expired) api[ _-]?key|invalid (?:access )?token|authentication failed/i;

const OVERLOAD =
  /overloaded|(?:over|at|no) capacity|capacity exceeded|(?:model|server|engine)[^.]{0,20} busy|loading model|worker local total request limit|high demand|slow down/i;

const RATE =
  /rate[ _-]?limit|too many requests|quota exceeded|exceeded your [\w ]*quota|(?:requests|tokens) per (?:second|min|hour|day)|throttl/i;

const UNSUPPORTED =
  /(?:unsupported|unknown|unrecognized) (?:parameter|request argument|argument|field)|extra (?:inputs|fields) (?:are )?not permitted|unexpected keyword|is not supported (?:with|by|for) this model|does not support (?:the )?[\w ]*(?:parameter|tools?|images?|function)/i;

/**
 * Where the status or a vague code would mislead, in this order: a wallet before a key, a missing
 * model before a bad request, a limit of the plan before the window of the model.
 */
const TEXT_RULES: readonly TextRule[] = [
  {
    kind: "request_too_large_for_tier",
    reason: "one request is larger than the plan's limit per minute, so waiting cannot help",
    status: [413, 429],
    when: exceedsPlan,
  },
  {
    kind: "context_length",
    reason: "a text of the prompt is longer than the vendor takes",
    when: ({ codes, param }) =>
      codes.includes("string_above_max_length") &&
      /^(?:input|messages?|prompt|content)\b/.test(param ?? ""),
  },
  {
    kind: "rate_limit",
    reason: "a 402 that names a wait: a budget for requests in flight, not an empty account",
    when: ({ status, has_retry_after }) => status === 402 && has_retry_after,
  },
  {
    kind: "context_length",
    reason: "the plan takes long prompts only for extra pay",
    text: /extra usage is required|long context beta is not (?:yet )?available/i,
  },
  { kind: "insufficient_credit", reason: "the text speaks of an empty balance", text: CREDIT },
  {
    kind: "insufficient_credit",
    reason: "the text speaks of a plan's used-up quota, and nothing of a limit in time",
    status: [400, 402, 403, 429],
    text: /exceeded (?:your |its )?current quota/i,
    unless_code: "resource_exhausted",
  },
  ...ACCOUNT_RULES,
  {
    kind: "moderation",
    reason: "the text speaks of a content policy",
    status: [400, 403, 422, 429],
    text: MODERATION,
  },
  {
    kind: "context_length",
    reason: "the text speaks of the context window",
    status: INPUT_STATUS,
    text: CONTEXT,
  },
  {
    kind: "context_length",
    reason: "a 403 that speaks of the context window",
    status: [403],
    text: /must be (?:less|smaller) than the (?:model's )?context length/i,
  },
  {
    kind: "model_not_found",
    reason: "the text speaks of a model that is not there",
    status: [400, 401, 403, 404, 410, 422],
    text: MODEL,
  },
  {
    kind: "model_not_found",
    reason: "a gateway has nobody behind it for this model",
    status: [500, 503],
    text: /no available channel/i,
  },
  { kind: "auth", reason: "the text speaks of a bad key", status: [400], text: AUTH },
  REGION_RULE,
  {
    kind: "overloaded",
    reason: "the text speaks of an overload",
    status: [400, 500, 502, 503],
    text: OVERLOAD,
  },
  {
    kind: "overloaded",
    reason: "a 429 that speaks of the model's capacity, not of a limit of the account",
    status: [429],
    text: /no capacity available|overloaded|\bmodel[^.]{0,20} busy/i,
  },
  {
    kind: "rate_limit",
    reason: "the text speaks of a rate limit",
    status: [400, 403, 500, 502, 503],
    text: RATE,
  },
  {
    kind: "server",
    reason: "a gateway's word for trouble behind it, whatever its status says",
    status: [400],
    text: /upstream (?:request )?(?:failed|error)/i,
  },
  {
    kind: "unsupported_param",
    reason: "the target does not take a parameter",
    status: [400, 422],
    text: UNSUPPORTED,
  },
];

export function matchTextRule(evidence: Evidence): TextRule | undefined {
  return TEXT_RULES.find((rule) => holds(rule, evidence));
}

function holds(rule: TextRule, evidence: Evidence): boolean {
  const { status, text, unless_code, when } = rule;
  if (status !== undefined && evidence.status !== null && !status.includes(evidence.status)) {
    return false;
  }
  if (unless_code !== undefined && evidence.codes.includes(unless_code)) return false;
  return (text?.test(evidence.text) ?? true) && (when?.(evidence) ?? true);
}

/** OpenAI and Groq name the limit and what was asked for, and say it of a minute's or a day's tokens. */
function exceedsPlan({ text }: Evidence): boolean {
  if (!/\bper (?:min|day)|\bTP[MD]\b/i.test(text)) return false;
  const limit = /\blimit:? ([\d,]+)/i.exec(text)?.[1];
  const requested = /\brequested:? ([\d,]+)/i.exec(text)?.[1];
  if (limit === undefined || requested === undefined) return /request too large/i.test(text);
  return numberOf(requested) > numberOf(limit);
}

function numberOf(digits: string): number {
  return Number(digits.replaceAll(",", ""));
}
