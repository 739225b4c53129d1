import type { Config } from "../config/schema.ts";
import type { HealthPolicy } from "../health/policy.ts";
import { parseDuration } from "../lib/durations.ts";

/** The numbers of one config; it was checked when it was loaded, so every text has a value. */
export function healthPolicy({ breaker, cooldowns }: Config): HealthPolicy {
  const { consecutive, ratio, min_calls } = breaker;
  return {
    breaker: {
      consecutive,
      ratio,
      min_calls,
      window_ms: parseDuration(breaker.window) ?? 0,
      base_ms: parseDuration(breaker.base) ?? 0,
      cap_ms: parseDuration(breaker.cap) ?? 0,
    },
    cooldowns: Object.fromEntries(
      Object.entries(cooldowns).map(([kind, text]) => [kind, parseDuration(text) ?? 0]),
    ),
  };
}
