import type { Config } from "../config/schema.ts";
import type { SignatureTraits, TripPolicy } from "../health/trips/policy.ts";
import { parseDuration } from "../lib/durations.ts";
import { SIGNATURES } from "../verify/signatures/table.ts";

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
    traits: (signature) => TRAITS.get(signature) ?? UNKNOWN,
  };
}

/** Known at the end only, but by then the client has seen nothing. */
const SEEN_BY_NOBODY: ReadonlySet<string> = new Set(["empty_200"]);

const TRAITS: ReadonlyMap<string, SignatureTraits> = new Map(
  SIGNATURES.map(({ name, isEarly, scope, verdict }) => [
    name,
    {
      needs_whole: !isEarly && !SEEN_BY_NOBODY.has(name),
      is_encoding: scope === "provider" && verdict === "mangled",
    },
  ]),
);

/** Of a trip that an older release left behind. */
const UNKNOWN: SignatureTraits = { needs_whole: false, is_encoding: false };
