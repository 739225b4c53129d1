import type { ContractOutcome } from "../rounds/outcome.ts";
import type { CanaryRoundRow } from "../rows.ts";
import { eventRow } from "./events.ts";
import type { Step } from "./settle.ts";
import { CLEAN_ROUNDS, type EndpointState, NO_STREAKS } from "./state.ts";

type Row = Pick<CanaryRoundRow, "result" | "outcomes" | "round_id" | "ended_at">;

/** How one round moves an endpoint. What it leads to at the end of the round is not decided here. */
export function takeResult(state: EndpointState, row: Row): Step {
  const taken = { ...state, repeat_locale: nextRepeat(state.repeat_locale, row.outcomes) };
  if (row.result === "pass") return passedOnce(taken, row);
  // What says nothing moves nothing.
  return { state: row.result === "fail" ? failedOnce(taken, row) : taken, events: [] };
}

function failedOnce(state: EndpointState, { ended_at, outcomes }: Row): EndpointState {
  return {
    ...state,
    // A suspended endpoint serves its time; it has no second one coming.
    fail_streak: state.suspended === null ? state.fail_streak + 1 : 0,
    clean_streak: 0,
    last_bad_at: ended_at,
    has_recovered: false,
    last_fault: faultOf(outcomes),
  };
}

function passedOnce(state: EndpointState, { ended_at: at, round_id }: Row): Step {
  const clean_streak = state.clean_streak + 1;
  const passed = {
    ...state,
    fail_streak: 0,
    clean_streak,
    has_recovered: true,
    is_held: false,
    is_reported: false,
  };
  if (state.suspended === null || clean_streak < CLEAN_ROUNDS) return { state: passed, events: [] };
  const restored = { ...passed, ...NO_STREAKS, suspended: null };
  return { state: restored, events: [eventRow("early_restore", restored, { at, round_id })] };
}

/** The language that failed is asked again until it passes, so that rotation hides nothing. */
function nextRepeat(repeat: string | null, outcomes: readonly ContractOutcome[]): string | null {
  const spoken = outcomes.filter(({ contract }) => contract === "language");
  const failing = spoken.find(({ result }) => result === "fail");
  if (failing) return failing.locale;
  return spoken.some(({ locale, result }) => locale === repeat && result === "pass")
    ? null
    : repeat;
}

/** Such as `language: code_mixing (pt, es)`: what failed, in which language, and what came instead. */
function faultOf(outcomes: readonly ContractOutcome[]): string {
  return outcomes
    .filter(({ result }) => result === "fail")
    .map(({ contract, reason, locale, detected }) => {
      const languages = [locale, detected].filter((language) => typeof language === "string");
      const told = languages.length === 0 ? "" : ` (${languages.join(", ")})`;
      return `${contract}: ${reason ?? "failed"}${told}`;
    })
    .join("; ");
}
