import type { Attempt, Decision } from "../../src/routing/decision.ts";

/** A decision with nothing remarkable about it; `changes` says what the test is about. */
export function decision(changes: Partial<Decision> = {}): Decision {
  return {
    id: Bun.randomUUIDv7(),
    request_id: "request-1",
    at: 1_764_460_800_000,
    dialect: "chat",
    stream: false,
    asked: "pool:main",
    served: "nim:qwen3-30b",
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
    ttft_ms: 80.25,
    usage: { input_tokens: 12, output_tokens: 34 },
    cost_usd: 0.00017,
    plan: {
      candidates: [
        { target: "nim:qwen3-30b", eligible: true, reasons: [], score: null },
        {
          target: "groq:llama-4",
          eligible: false,
          reasons: [
            { layer: 6, code: "cooldown", detail: "rate_limit", until_at: 1_764_460_900_000 },
          ],
          score: 0.5,
        },
      ],
      notes: ["the session moves away from `groq:llama-4`: cooldown"],
    },
    attempts: [attempt()],
    ...changes,
  };
}

export function attempt(changes: Partial<Attempt> = {}): Attempt {
  return {
    n: 1,
    target: "nim:qwen3-30b",
    endpoint: null,
    retry: false,
    kind: "ok",
    status: 200,
    vendor_code: null,
    started_at: 1_764_460_800_001,
    duration_ms: 410,
    ttft_ms: 79,
    usage: { input_tokens: 12, output_tokens: 34 },
    cost_usd: 0.00017,
    verification: null,
    ...changes,
  };
}
