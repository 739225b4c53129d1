import type { ModelCard } from "../catalog/model-card.ts";

/** Money or credits left at an instance. Figures of different units are never compared. */
export interface Balance {
  readonly amount: number;
  readonly unit: "usd" | "credits";
  /** When it was learned, epoch ms. */
  readonly at: number;
}

/** What orders targets, as values of one moment. Missing data is null, never a guess. */
export interface TargetSignals {
  /** Average duration of successful attempts. */
  readonly latency_ms: number | null;
  readonly in_flight: number;
  /** Null where no probe told, or what it told is too old. */
  readonly balance: Balance | null;
  readonly card: ModelCard;
}

/** The card of a model nobody has described. */
export const UNKNOWN_CARD: ModelCard = {
  window_tokens: null,
  max_output_tokens: null,
  price: { input_usd: null, output_usd: null, cached_input_usd: null },
  capabilities: { tools: null, vision: null, json: null, reasoning: null },
  source: "unknown",
  as_of: null,
};

/** What is known of a target that nobody has called yet. */
export const NO_SIGNALS: TargetSignals = {
  latency_ms: null,
  in_flight: 0,
  balance: null,
  card: UNKNOWN_CARD,
};
