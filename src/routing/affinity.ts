import { quote } from "../address/spec-fault.ts";
import type { Candidate, Reason } from "./plan.ts";

/** Where a session is held, per pool. */
export interface Pin {
  /** `id` of the candidate. */
  readonly candidate: string;
  /** Turns in a row that another candidate answered. */
  readonly missed: number;
}

/** What a plan found of its session's pin. */
export type PinVerdict =
  | { readonly kind: "none" }
  | { readonly kind: "held"; readonly pin: Pin }
  /** Out for this turn only: the pin stays. */
  | { readonly kind: "away"; readonly pin: Pin; readonly reason: string }
  /** Gone for longer: whoever answers this turn is the next one. */
  | { readonly kind: "lost"; readonly pin: Pin; readonly reason: string };

/** A conversation waits this long for its target to come back. */
const PATIENCE_MS = 60_000;
/** The turn in a row without its target that ends the wait. */
const LAST_MISSED_TURN = 3;

/** Layers 1 to 5 last until somebody or something lifts them. */
const LASTING_LAYERS = { first: 1, last: 5 } as const;
const LASTING_CODES: ReadonlySet<string> = new Set(["not_allowed", "unknown_instance"]);

/** Whether the pin holds for this turn, and if not, whether it will again. */
export function judgePin(
  pin: Pin | null,
  candidates: readonly Candidate[],
  now: number,
): PinVerdict {
  if (pin === null) return { kind: "none" };
  const pinned = candidates.find(({ id }) => id === pin.candidate);
  if (pinned === undefined) return { kind: "lost", pin, reason: "it left the pool" };
  if (pinned.eligible) return { kind: "held", pin };
  const lasting = pinned.reasons.find((reason) => lasts(reason, now));
  if (lasting !== undefined) return { kind: "lost", pin, reason: lasting.code };
  const reason = pinned.reasons.map(({ code }) => code).join(", ");
  if (pin.missed + 1 < LAST_MISSED_TURN) return { kind: "away", pin, reason };
  return { kind: "lost", pin, reason: `${reason}, for ${LAST_MISSED_TURN} turns in a row` };
}

function lasts({ layer, code, until_at }: Reason, now: number): boolean {
  if (layer >= LASTING_LAYERS.first && layer <= LASTING_LAYERS.last) return true;
  if (LASTING_CODES.has(code)) return true;
  return code === "cooldown" && (until_at === null || until_at - now > PATIENCE_MS);
}

/** The candidates with the one that holds the session in front; the others keep their order. */
export function pinnedFirst(
  candidates: readonly Candidate[],
  verdict: PinVerdict,
): readonly Candidate[] {
  if (verdict.kind !== "held" || candidates[0]?.id === verdict.pin.candidate) return candidates;
  const { candidate } = verdict.pin;
  const isPinned = ({ id, eligible }: Candidate) => eligible && id === candidate;
  return [...candidates.filter(isPinned), ...candidates.filter((other) => !isPinned(other))];
}

/**
 * The pin once candidate `served` has answered. A turn that another one answered counts as missed,
 * whether the plan foresaw it or the pinned one failed; one failure alone never moves a conversation.
 */
export function pinAfter(verdict: PinVerdict, served: string): Pin {
  if (verdict.kind === "none" || verdict.kind === "lost") return { candidate: served, missed: 0 };
  const { pin } = verdict;
  if (pin.candidate === served) return { candidate: served, missed: 0 };
  const missed = pin.missed + 1;
  return missed < LAST_MISSED_TURN
    ? { candidate: pin.candidate, missed }
    : { candidate: served, missed: 0 };
}

/** What to say of the pin in a plan; a session that is where it was needs no words. */
export function pinNotes(verdict: PinVerdict): string[] {
  switch (verdict.kind) {
    case "none":
      return [];
    case "held":
      return [`the session stays with ${quote(verdict.pin.candidate)}`];
    case "away": {
      const turn = `turn ${verdict.pin.missed + 1} without it`;
      return [
        `the session goes elsewhere and stays pinned to ${quote(verdict.pin.candidate)}, ${turn}: ${verdict.reason}`,
      ];
    }
    default:
      return [`the session moves away from ${quote(verdict.pin.candidate)}: ${verdict.reason}`];
  }
}
