import type { Evidence, TextRule } from "./text-rule.ts";

/** Any of the phrases, each a pattern of its own. */
function anyOf(...phrases: readonly RegExp[]): RegExp {
  return new RegExp(phrases.map(({ source }) => source).join("|"), "i");
}

/** What an account owes or lacks, said as a fact; a bare "billing" is in too many harmless sentences. */
const UNPAID = anyOf(
  /billing (?:is |has been )?(?:disabled|not (?:enabled|active|set up))/,
  /billing account[^.]{0,60}(?:disabled|closed|inactive|not (?:found|linked|active))/,
  /check your billing details/,
  /(?:overdue|unpaid|past[- ]due) (?:balance|invoices?|payments?|bills?)|pay past invoices/,
  /balance (?:is )?(?:insufficient|negative|too low|not enough)|not enough balance/,
  /reached (?:its|the) spend(?:ing)? limit|\b(?:key|credit|spend(?:ing)?)[ _]limit (?:has been |was )?(?:exceeded|reached)/,
  /spend(?:ing)? cap\b|exceededbudget|over budget|exceeded (?:its|your) (?:\w+ly )?budget/,
  /(?<!\b(?:thinking|reasoning|tokens?) )budget (?:limit )?(?:has been |was )?(?:exceeded|reached)/,
  /(?:exceeded|depleted) your [^.]{0,30}\bcredits|credits (?:have )?expired/,
  /(?:subscription|plan|package) (?:has |is )?(?:expired|lapsed|inactive|past due)/,
  /(?:inactive|no active) subscription/,
  /free (?:tier|quota)[^.]{0,40} exhausted/,
  /额度不足|额度已用尽|套餐已到期/,
);

/** What an account should do about it; a rate limit gives the same advice to an account in credit. */
const ADVISED = anyOf(
  /(?:enable|requires?) billing|billing (?:to|must) be enabled|without a billing account/,
  /(?:add|enter|requires?|no|update|valid|missing)[^.]{0,24} (?:payment method|credit card)/,
  /payment[ _]instrument|please top[ -]?up/,
  /verify your membership|membership (?:has |is )?(?:expired|inactive|not active)/,
  /out of extra usage|draw from your extra usage/,
  /reached your [^.]{0,40}\busage limit|usage limit for this billing/,
);

const NOT_ENTITLED = anyOf(
  /(?:\bnot|n't|\bno)(?: have)? access to (?:the |this |that |a )?(?:requested )?models?\b/,
  /\bmodel access is denied/,
  /\baccess to [\w.:/`'" -]{0,60}\bmodels? is (?:denied|restricted|not allowed)/,
  /\baccess to (?:the |this )?model (?:is |was )?denied|\bpermission to (?:access|use) (?:the|this) model\b/,
  /\bnot (?:allowed|authorized) to (?:access|use|sample from)[^.]{0,60}\bmodels?\b/,
  /\bplan (?:does )?not support (?:the |this )?model\b/,
  /\bmodels?\b[^.]{0,80} (?:is blocked at|requires (?:a (?:paid )?subscription|terms acceptance))/,
  /\bmust be verified to (?:use|access)\b[^.]{0,20}\bmodel\b/,
  /\bon-demand throughput (?:isn.t|is not) supported/,
  /\bonly accessible to billed users|\bnon-serverless model|not activated the model|\bgated (?:model|repo)/,
  /\bnot (?:included|available) (?:in|on|with|under) your (?:current )?(?:plan|tier|subscription)/,
);

const CLOSED = anyOf(
  /\b(?:organi[sz]ation|account|project|api key|team|workspace|consumer)\b[^.]{0,60} (?:has been|was|is) (?:currently )?(?:disabled|suspended|deactivated|terminated|banned|restricted|locked)\b(?=[.,!;:]|$| due| because| for violat)/,
  /\bresource has been (?:temporarily )?blocked\b|\bcredential is only authorized for\b/,
  /\baccess (?:has been|was) (?:terminated|disabled|suspended|revoked)\b/,
);

const REGION = anyOf(
  /\b(?:country|countries|regions?|territor(?:y|ies)|(?:user|your) location)\b[^.]{0,40} not (?:supported|available|allowed|served)/,
  /\bunsupported (?:country|countries|regions?|territor(?:y|ies)|location)/,
  /\bnot (?:supported|available) in your (?:country|region|territory|location)/,
);

/** An error about a parameter quotes its value, and a client's words must bench nobody. */
function namesNoParameter({ status, param }: Evidence): boolean {
  return status !== 400 || param === null;
}

/** Before a content policy and a status: a 403 is about money, a model or a place as often as a key. */
export const ACCOUNT_RULES: readonly TextRule[] = [
  {
    kind: "insufficient_credit",
    reason: "the text speaks of an account without billing, or of a plan that ran out",
    status: [400, 401, 402, 403, 412, 429],
    text: UNPAID,
    when: namesNoParameter,
  },
  {
    kind: "insufficient_credit",
    reason: "the text asks for billing or a larger plan, and the status speaks of no limit in time",
    status: [400, 402, 403],
    text: ADVISED,
    when: namesNoParameter,
  },
  {
    kind: "model_not_found",
    reason: "the text speaks of a model that the account may not use",
    status: [400, 401, 403, 404, 500],
    text: NOT_ENTITLED,
    when: namesNoParameter,
  },
  {
    kind: "auth",
    reason: "the text speaks of an account that is closed",
    status: [400, 401, 403, 412],
    text: CLOSED,
    when: namesNoParameter,
  },
];

/** After the rules on models: one that is not served in a region is no matter of the account. */
export const REGION_RULE: TextRule = {
  kind: "auth",
  reason: "the text speaks of a country or region that the vendor does not serve",
  status: [400, 403],
  text: REGION,
  when: namesNoParameter,
};
