import type { Contract, ProbeResult } from "./contracts/contract.ts";
import type { EndpointKey } from "./endpoints/endpoint.ts";
import type { ContractOutcome } from "./rounds/outcome.ts";

/** `observe` says what would be done, `enforce` does it. */
export type CanaryMode = "observe" | "enforce";

/** A host under test, or one that is known to filter and tests the question. */
export type EndpointRole = "watched" | "control";

/**
 * How one endpoint came out of one round; unique by round, endpoint and role. All rows of a round are
 * written together, before anything follows from them, and everything that follows is worked out from
 * them alone.
 */
export interface CanaryRoundRow {
  readonly round_id: string;
  /** One higher each round. */
  readonly round_n: number;
  readonly role: EndpointRole;
  readonly endpoint: EndpointKey;
  readonly instance: string;
  readonly model: string;
  readonly host: string | null;
  readonly groups: readonly string[];
  /** Counts as capacity: nobody has excluded it, and requests can be sent to it. */
  readonly is_production: boolean;
  readonly mode: CanaryMode;
  /** Of the whole round, epoch ms: the same in all of its rows. */
  readonly started_at: number;
  readonly ended_at: number;
  /** The planned time between rounds. */
  readonly interval_ms: number;
  readonly result: ProbeResult;
  readonly outcomes: readonly ContractOutcome[];
}

/** One question that was asked, or that could not be. Holds no text of prompt or answer. */
export interface CanaryProbeRow {
  readonly round_id: string;
  readonly role: EndpointRole;
  readonly endpoint: EndpointKey;
  readonly instance: string;
  readonly contract: Contract;
  readonly locale: string | null;
  /** 1 for the question, 2 and 3 for its confirmations. */
  readonly attempt: number;
  /** Epoch ms it was sent at. */
  readonly at: number;
  readonly result: ProbeResult;
  readonly reason: string | null;
  readonly detected: string | null;
  readonly ttft_ms: number | null;
  readonly duration_ms: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** What the budget counts: as billed, or the most it can have been where nobody said. */
  readonly charged_tokens: number;
  readonly charged_usd: number;
}

/** Something that changed, or in observe mode would have, for one endpoint. */
export type CanaryEventKind =
  | "suspended"
  | "would_suspend"
  | "floor_alert"
  | "early_restore"
  | "expired"
  | "operator_lift"
  | "ladder_reset"
  | "appeared"
  | "vanished";

/** The table `suspensions`: what the rounds led to, and what people did. Unique by `id`. */
export interface SuspensionRow {
  /** From what it is about, so that working it out again after a crash gives no second row. */
  readonly id: string;
  readonly kind: CanaryEventKind;
  readonly endpoint: EndpointKey;
  readonly instance: string;
  readonly model: string;
  readonly host: string | null;
  /** Epoch ms. */
  readonly at: number;
  /** Null for what a person did. */
  readonly round_id: string | null;
  /** Epoch ms it ends by itself at; null where nothing is suspended. */
  readonly until_at: number | null;
  /** Rung of the ladder afterwards, 0 to 3. */
  readonly level: number;
  /** Such as `language: code_mixing (es)`; fixed words. */
  readonly detail: string | null;
  /** A person should hear of it; false for what repeats. */
  readonly is_news: boolean;
  /** Of `operator_lift`: the ladder starts again from the bottom. */
  readonly forgives: boolean;
}
