import { type Destination, NO_NOTES } from "./destination.ts";
import type { Contender } from "./member.ts";
import { type Need, neededWindow } from "./need.ts";
import { type NamedProfile, profileNote } from "./profile.ts";
import type { TargetSignals } from "./signals.ts";
import type { StrategyName } from "./strategies/strategy.ts";
import { WINDOW_TOO_SMALL } from "./window.ts";
import { listed } from "./words.ts";

interface NoteParts {
  readonly profile: NamedProfile | null;
  readonly pool: Destination["pool"];
  readonly contenders: readonly Contender[];
  readonly need: () => Need;
}

/** What a reader of a plan could not guess from its candidates. */
export function planNotes({ profile, pool, contenders, need }: NoteParts): readonly string[] {
  // Windows are judged only where there is a pool to choose from.
  if (profile === null && pool === null) return NO_NOTES;
  return [
    ...(profile === null ? [] : [profileNote(profile), ...verifyNotes(profile)]),
    ...(contenders.some(isTooSmall) ? [needNote(need())] : []),
    ...(pool === null ? [] : missingNotes(pool.strategy, contenders)),
  ];
}

function verifyNotes({ verify }: NamedProfile): string[] {
  if (verify === "rescue") return [];
  return [
    verify === "off"
      ? "answers are not judged: the profile's `verify` is `off`"
      : "bad answers are recorded, not replaced: the profile's `verify` is `observe`",
  ];
}

function isTooSmall({ reasons }: Contender): boolean {
  return reasons.some(({ code }) => code === WINDOW_TOO_SMALL);
}

function needNote(need: Need): string {
  const cap = need.max_output_tokens;
  const asked = cap === null ? "" : ` and ${cap} of output at most`;
  return `about ${neededWindow(need)} tokens are needed: ${need.input_tokens} of input (estimated)${asked}`;
}

/** What a strategy goes by and does not know of a target, and where that puts it. */
const MISSING: Partial<
  Record<
    StrategyName,
    { readonly says: string; readonly isMissing: (of: TargetSignals) => boolean }
  >
> = {
  lowest_latency: {
    says: "not measured yet, so first, one request at a time",
    isMissing: ({ latency_ms }) => latency_ms === null,
  },
  lowest_cost: {
    says: "without a known price, so after the others",
    isMissing: ({ card: { price } }) => price.input_usd === null || price.output_usd === null,
  },
  most_credits: {
    says: "of unknown balance, so after known funds and before the empty",
    isMissing: ({ balance }) => balance === null,
  },
};

function missingNotes(strategy: StrategyName, contenders: readonly Contender[]): string[] {
  const missing = MISSING[strategy];
  if (missing === undefined) return [];
  const keys = contenders
    .filter(({ reasons, signals }) => reasons.length === 0 && missing.isMissing(signals))
    .map(({ member }) => member.key);
  return keys.length === 0 ? [] : [`${listed(keys)}: ${missing.says}`];
}
