import type { Config } from "../config/schema.ts";
import type { TripPolicy } from "../health/trips/policy.ts";
import { parseDuration } from "../lib/durations.ts";
import { signatureTraits } from "../verify/signatures/table.ts";

/** The numbers of one config; it was checked when it was loaded, so every text has a value. */
export function tripPolicy({ verifier }: Pick<Config, "verifier">): TripPolicy {
  const { mode, ignore, incident_ratio, floor, provider_floor } = verifier;
  return {
    mode,
    ignored: new Set(ignore),
    incident_ratio,
    floor: { target: floor, provider: provider_floor },
    timing: {
      base_ms: parseDuration(verifier.bench) ?? 0,
      cap_ms: parseDuration(verifier.bench_cap) ?? 0,
    },
    clean_to_close: verifier.clean_to_close,
    probation: verifier.probation,
    traits: signatureTraits,
  };
}
