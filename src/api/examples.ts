import type { Decision } from "../routing/decision.ts";
import type { PlanView } from "../routing/plan.ts";

/** Examples of the API document; a test checks each against the schema beside it. */

export const CHAT_REQUEST = {
  model: "auto",
  messages: [{ role: "user", content: "Say hello" }],
};

export const EXTENSION = {
  decision_id: "01995b6e-7c11-7000-8000-2f6a54d1c9aa",
  asked: "pool:main",
  served: "nim:qwen3-30b",
  pool: "main",
  lane: null,
  attempts: 2,
  fallback: false,
  explored: false,
};

export const CHAT_ANSWER = {
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_764_460_800,
  model: "qwen3-30b",
  choices: [{ index: 0, message: { role: "assistant", content: "Hello!" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  veriroute: EXTENSION,
};

const CANDIDATES: Decision["plan"]["candidates"] = [
  {
    target: "openrouter:z-ai/glm-5.3-flash",
    eligible: false,
    reasons: [
      {
        layer: 6,
        code: "cooldown",
        detail: "rate_limit",
        until_at: 1_764_460_830_000,
      },
    ],
    score: null,
  },
  { target: "nim:qwen3-30b", eligible: true, reasons: [], score: null },
];

export const PLAN: PlanView = { candidates: CANDIDATES };

const MOVED =
  "the session goes elsewhere and stays pinned to `openrouter:z-ai/glm-5.3-flash`, turn 1 without it: cooldown";

export const DECISION: Decision = {
  id: EXTENSION.decision_id,
  request_id: "req-42",
  at: 1_764_460_800_000,
  dialect: "chat",
  stream: false,
  asked: EXTENSION.asked,
  served: EXTENSION.served,
  profile: null,
  lane: null,
  pool: "main",
  strategy: "priority",
  status: 200,
  error_code: null,
  outcome: "ok",
  degraded: false,
  edits: ["model"],
  duration_ms: 412.5,
  ttft_ms: null,
  usage: { input_tokens: 9, output_tokens: 3 },
  cost_usd: null,
  plan: { ...PLAN, notes: [MOVED] },
  attempts: [
    {
      n: 1,
      target: "nim:qwen3-30b",
      endpoint: null,
      retry: false,
      kind: "ok",
      status: 200,
      vendor_code: null,
      started_at: 1_764_460_800_010,
      duration_ms: 401.2,
      ttft_ms: null,
      usage: { input_tokens: 9, output_tokens: 3 },
      cost_usd: null,
      verification: null,
    },
  ],
};
