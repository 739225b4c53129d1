export type DriftReason = "language_drift" | "script_variant" | "code_mixing";
export type AbstainReason = "too_short" | "close_pair" | "close_call";

/** Whether a text is in the language it should be in. `detected` is a language's code, null if none can be named. */
export type LanguageJudgement =
  | { readonly result: "pass"; readonly detected: string | null }
  | { readonly result: "fail"; readonly reason: DriftReason; readonly detected: string | null }
  | {
      readonly result: "inconclusive";
      readonly reason: AbstainReason;
      readonly detected: string | null;
    };

export type Failed = Extract<LanguageJudgement, { readonly result: "fail" }>;

/** Share of a text that may be foreign: names and quotations are. */
export const MAX_FOREIGN_SHARE = 0.25;

export function fail(reason: DriftReason, detected: string | null): Failed {
  return { result: "fail", reason, detected };
}

export function abstain(reason: AbstainReason, detected: string | null): LanguageJudgement {
  return { result: "inconclusive", reason, detected };
}
