import { readableDuration } from "../../lib/durations.ts";
import type { Reason } from "../../routing/plan.ts";

/** When a candidate is back as far as one reason goes: in how long, else what has to happen. */
export function returns({ code, layer, until_at }: Reason, now: number): string {
  if (until_at !== null) return until_at > now ? `in ${readableDuration(until_at - now)}` : "now";
  return BY_CODE[code] ?? BY_LAYER[layer] ?? "";
}

const BY_CODE: Readonly<Record<string, string>> = {
  not_allowed: "once it is on the allowlist",
  profile_excluded: "under another profile",
  "capability:tools": "for requests without tools",
  "capability:vision": "for requests without images",
  "capability:json": "for requests without JSON mode",
  dialect_unsupported: "for requests of another kind",
  embedding_model_differs: "never for this pool's vectors",
  window_too_small: "with a shorter prompt",
  tier_held_back: "once the lower order is used up",
  duplicate_member: "it is there already",
  static_exclusion: "with a change of config or release",
  operator_exclusion: "once somebody removes it",
  unusable_auth: "with a new credential, or a good trial",
  breaker_open: "with the trial",
};

/** For codes of instances, which are many: what a person has to put right. */
const BY_LAYER: Readonly<Record<number, string>> = {
  0: "with a change of config",
  3: "with clean rounds of the canary",
  4: "once it is set up",
};
