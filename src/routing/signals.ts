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
